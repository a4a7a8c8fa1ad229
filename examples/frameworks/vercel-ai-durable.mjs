// Vercel AI SDK: generateText returns an approval request instead of running the tool. The messages are saved, a person is asked in
// Handrail, and the next request continues the conversation. A mock replaces the model, so that this runs offline.
//   node vercel-ai-durable.mjs start     generates until a tool needs an approval
//   node vercel-ai-durable.mjs resume    reads the task: replies to questions, or generates the rest if there is an answer
import assert from 'node:assert/strict'
import { readFile, writeFile } from 'node:fs/promises'
import { generateText, tool } from 'ai'
import { MockLanguageModelV4 } from 'ai/test'
import { createClient } from 'handrail-client'
import { z } from 'zod'

const handrail = createClient({ baseUrl: process.env.HANDRAIL_URL, apiKey: process.env.HANDRAIL_API_KEY })

const published = []
const publish = tool({
  description: 'Publishes an article.',
  inputSchema: z.object({ title: z.string() }),
  async execute({ title }) {
    published.push(title)
    return `“${title}” is online.`
  },
})

const settings = {
  model: scriptedModel(),
  tools: { publish },
  toolApproval: { publish: 'user-approval' },
}

if (process.argv[2] === 'start') await start()
else await resume()

async function start() {
  const messages = [{ role: 'user', content: 'Publish the article about quiet keyboards.' }]
  const result = await generateText({ ...settings, messages })
  messages.push(...result.responseMessages)

  const tasks = {}
  for (const part of result.content) {
    if (part.type !== 'tool-approval-request' || part.isAutomatic) continue
    const task = {
      task: {
        type: 'tool-approval',
        name: `Allow ${part.toolCall.toolName}?`,
        description: 'The agent wants to call this tool.',
      },
      app: 'vercel-example',
      acceptsQuestions: true,
      context: { data: part.toolCall.input },
      actions: [
        { id: 'approve', title: 'Approve' },
        {
          id: 'decline',
          title: 'Decline',
          schema: { type: 'object', required: ['reason'], properties: { reason: { type: 'string' } } },
        },
      ],
    }
    const { taskId, url } = await handrail.createTask(task, { idempotencyKey: part.approvalId })
    tasks[part.approvalId] = taskId
    console.log(`The messages are saved. Waiting for an answer: ${url}`)
  }
  await writeFile('vercel-chat.json', JSON.stringify({ messages, tasks }))
}

async function resume() {
  const { messages, tasks } = JSON.parse(await readFile('vercel-chat.json', 'utf8'))
  const content = []
  for (const [approvalId, taskId] of Object.entries(tasks)) {
    // One read, as in a serverless function. A callback tells you when to do this.
    const { status, handled, questions = [] } = await handrail.getTask(taskId)
    if (status === 'open') {
      for (const { questionId, answer } of questions) {
        // A model would read the question with these messages.
        if (!answer) await handrail.reply(taskId, questionId, `I was told: ${messages[0].content}`)
      }
      return console.log('Nobody has answered yet. Try again later.')
    }
    const approved = handled?.actionId === 'approve'
    const reason = handled?.data.reason ?? status
    content.push({ type: 'tool-approval-response', approvalId, approved, reason })
  }
  messages.push({ role: 'tool', content })

  const { text } = await generateText({ ...settings, messages })
  console.log(`Resumed in a new process: ${text}`)
  const { approved, reason } = content[0]
  assert.deepEqual(
    published,
    approved ? ['Five quiet keyboards'] : [],
    'The tool runs only if it was approved.',
  )
  if (!approved) assert(text.includes(reason), 'The model receives the reason.')
}

/** Calls the tool once, then repeats its result. */
function scriptedModel() {
  return new MockLanguageModelV4({
    async doGenerate({ prompt }) {
      const result = prompt.flatMap(({ content }) => content).find(({ type }) => type === 'tool-result')
      const part = result
        ? { type: 'text', text: String(result.output.value ?? result.output.reason) }
        : {
            type: 'tool-call',
            toolCallId: 'call-1',
            toolName: 'publish',
            input: '{"title":"Five quiet keyboards"}',
          }
      return {
        content: [part],
        finishReason: { unified: result ? 'stop' : 'tool-calls', raw: undefined },
        usage: { inputTokens: { total: 1 }, outputTokens: { total: 1 } },
        warnings: [],
      }
    },
  })
}
