// OpenAI Agents: a tool with needsApproval interrupts the run. The run is saved to a file, a person is asked in Handrail, and another
// process replies if they ask back, and resumes the run when they have answered. A script replaces the model, so that this runs offline;
// remove `model` to use a real one.
//   node openai-agents-durable.mjs start     runs the agent until it needs an approval
//   node openai-agents-durable.mjs resume    waits for the answer and runs the rest
import assert from 'node:assert/strict'
import { readFile, writeFile } from 'node:fs/promises'
import { Agent, RunState, run, tool, Usage } from '@openai/agents'
import { createClient } from 'handrail-client'
import { z } from 'zod'

const handrail = createClient({ baseUrl: process.env.HANDRAIL_URL, apiKey: process.env.HANDRAIL_API_KEY })

const request = 'The lid arrived broken. Order 58213, €129.'
const refunded = []
const refund = tool({
  name: 'refund',
  description: 'Pays money back to the customer.',
  parameters: z.object({ order: z.string(), amount: z.number() }),
  needsApproval: async (_context, { amount }) => amount > 100,
  async execute({ order, amount }) {
    refunded.push(order)
    return `Refunded €${amount} for order ${order}.`
  },
})

const agent = new Agent({
  name: 'Support',
  instructions: 'Help customers with their orders.',
  tools: [refund],
  model: scriptedModel(),
})

if (process.argv[2] === 'start') await start()
else await resume()

async function start() {
  const { state, interruptions } = await run(agent, request)
  const tasks = {}
  for (const { rawItem } of interruptions) {
    const task = {
      task: {
        type: 'tool-approval',
        name: `Allow ${rawItem.name}?`,
        description: 'The agent wants to call this tool.',
      },
      app: 'openai-example',
      acceptsQuestions: true,
      context: { data: JSON.parse(rawItem.arguments) },
      actions: [
        { id: 'approve', title: 'Approve' },
        {
          id: 'decline',
          title: 'Decline',
          schema: { type: 'object', required: ['reason'], properties: { reason: { type: 'string' } } },
        },
      ],
    }
    const { taskId, url } = await handrail.createTask(task, { idempotencyKey: rawItem.callId })
    tasks[rawItem.callId] = taskId
    console.log(`The run is saved. Waiting for an answer: ${url}`)
  }
  await writeFile('openai-run.json', JSON.stringify({ state: state.toString(), tasks }))
}

async function resume() {
  const saved = JSON.parse(await readFile('openai-run.json', 'utf8'))
  const state = await RunState.fromString(agent, saved.state)
  for (const interruption of state.getInterruptions()) {
    const { handled, status } = await handrail.waitForAnswer(saved.tasks[interruption.rawItem.callId], {
      // A model would read the question.
      onQuestion: () => `I know only what the customer wrote: ${request}`,
    })
    if (handled?.actionId === 'approve') state.approve(interruption)
    // The model reads this message. Without an answer, the task has expired or was cancelled.
    else state.reject(interruption, { message: handled?.data.reason ?? `Not approved: ${status}.` })
  }
  const { finalOutput } = await run(agent, state)
  console.log(`Resumed in a new process: ${finalOutput}`)
  assert.equal(
    refunded.length > 0,
    finalOutput.startsWith('Refunded'),
    'The tool runs only if it was approved.',
  )
}

/** Calls the tool once, then repeats its result. */
function scriptedModel() {
  return {
    async getResponse({ input }) {
      const result = input.find(({ type }) => type === 'function_call_result')
      const output = result
        ? { type: 'message', role: 'assistant', status: 'completed', content: [text(result.output)] }
        : {
            type: 'function_call',
            callId: `call-${crypto.randomUUID()}`,
            name: 'refund',
            arguments: JSON.stringify({ order: '58213', amount: 129 }),
            status: 'completed',
          }
      return { usage: new Usage(), output: [output] }
    },
  }
}

function text(output) {
  return { type: 'output_text', text: typeof output === 'string' ? output : output.text }
}
