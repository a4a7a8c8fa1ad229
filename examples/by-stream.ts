// The answer is pushed over the stream of an MCP session (delivery "sse").
import assert from 'node:assert/strict'
import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import { LoggingMessageNotificationSchema } from '@modelcontextprotocol/sdk/types.js'

const url = new URL(`${process.env.HANDRAIL_URL ?? 'http://127.0.0.1:3000'}/mcp`)
const transport = new StreamableHTTPClientTransport(url, {
  requestInit: { headers: { 'X-Api-Key': process.env.HANDRAIL_API_KEY ?? '' } },
})
const mcp = new Client({ name: 'by-stream', version: '1.0.0' })

type Handled = { taskId: string; action: { id: string; data: unknown }; handledBy: string }
type Asked = { taskId: string; question: { questionId: string; kind: 'question' | 'changes'; text: string } }
let plan = '1. One token bucket per key\n2. `429` with `Retry-After`\n3. A test that counts'
const contextOf = (text: string) => ({ data: { plan: text }, ui: { plan: { 'ui:widget': 'markdown' } } })

async function reply({ taskId, question }: Asked): Promise<void> {
  const { questionId, kind, text } = question
  const update = { taskId, answers: questionId, ...(kind === 'changes' ? addStep(text) : answerTo(text)) }
  const { isError, content } = await mcp.callTool({ name: 'send_update', arguments: update })
  // For example because the task was answered in the meantime.
  if (isError) console.log('The reply was refused:', content)
}

/**
 * What a person asks for becomes a step of the plan. The task is revised, and they decide about the
 * new plan.
 */
function addStep(text: string) {
  plan += `\n${plan.split('\n').length + 1}. ${text}`
  return { message: 'I added it as the last step.', revision: { context: contextOf(plan) } }
}

/** An agent with a language model would pass it the question. This one says what it knows. */
function answerTo(text: string) {
  return { message: `I am a script and cannot look up "${text}". The plan is all I know.` }
}

const pushed = new Promise<Handled>((resolve, reject) => {
  mcp.setNotificationHandler(LoggingMessageNotificationSchema, ({ params }) => {
    const event = params.data as { type: string }
    if (event.type === 'service/task_handled') resolve(params.data as Handled)
    if (event.type === 'service/task_question') reply(params.data as Asked).catch(reject)
  })
})
// The types of the MCP SDK do not support exactOptionalPropertyTypes.
await mcp.connect(transport as Parameters<typeof mcp.connect>[0])

const result = await mcp.callTool({
  name: 'send_to_human',
  arguments: {
    task: {
      type: 'plan-review',
      name: 'Plan: rate limits for the public API',
      description: 'Is this the right plan? I start when you approve.',
    },
    app: 'examples',
    delivery: 'sse',
    acceptsQuestions: true,
    context: contextOf(plan),
    actions: [
      { id: 'approve', title: 'Begin' },
      { id: 'change', title: 'Change the plan' },
    ],
  },
})
assert(!result.isError, JSON.stringify(result.content))
const { taskId, delivery } = result.structuredContent as { taskId: string; delivery: string }
assert.equal(delivery, 'sse')
// The text for the model contains the link.
const texts = (result.content as { text?: string }[]).map(({ text }) => text).join('\n')
console.log(`Waiting for a human: ${/^The task: (\S+)/m.exec(texts)?.[1]}`)

const event = await pushed
await mcp.close()

assert.equal(event.taskId, taskId)
console.log(
  event.action.id === 'approve' ? `Starting, as ${event.handledBy} approved.` : 'Revising the plan.',
)
