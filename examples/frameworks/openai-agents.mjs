// OpenAI Agents: an agent with Handrail's MCP server. A script replaces the model, so that this runs offline; remove `model`
// to use a real one.
import assert from 'node:assert/strict'
import { Agent, MCPServerStreamableHttp, run, Usage } from '@openai/agents'

const handrail = new MCPServerStreamableHttp({
  name: 'handrail',
  url: process.env.MCP_URL,
  requestInit: { headers: { 'X-Api-Key': process.env.HANDRAIL_API_KEY } },
  // Milliseconds per tool call. Must be longer than a wait of 50 seconds.
  timeout: 60_000,
})
await handrail.connect()

const ask = {
  task: {
    type: 'purchase-approval',
    name: 'Buy 40 licences?',
    description: 'They cost €3,200 a year. Ten people asked for one.',
  },
  app: 'openai-example',
  actions: [
    { id: 'buy', title: 'Buy' },
    {
      id: 'decline',
      title: 'Do not buy',
      schema: { type: 'object', required: ['reason'], properties: { reason: { type: 'string' } } },
    },
  ],
}

/** The steps of a model: create the task, wait, report. */
const scriptedModel = {
  async getResponse({ input }) {
    const results = input.filter((item) => item.type === 'function_call_result')
    const last = results.length > 0 ? textOf(results.at(-1).output) : undefined
    const output =
      last === undefined
        ? toolCall('send_to_human', ask)
        : last.status === undefined || last.status === 'open'
          ? toolCall('get_task', { taskId: last.taskId, waitSeconds: 50 })
          : message(`${last.handled.actionId}: ${last.handled.data.reason}`)
    if (output.name === 'get_task') console.log(`waiting for ${last.taskId}`)
    return { usage: new Usage(), output: [output] }
  },
}

const agent = new Agent({
  name: 'Buyer',
  instructions: 'Never buy anything a person has not approved with send_to_human.',
  mcpServers: [handrail],
  model: scriptedModel,
})
const { finalOutput } = await run(agent, 'Do we need more licences?')
await handrail.close()

assert.match(finalOutput, /^decline: /)
console.log(`Not bought: ${finalOutput}`)
console.log('client passed')

function toolCall(name, args) {
  return {
    type: 'function_call',
    callId: `${name}-${Date.now()}`,
    name,
    arguments: JSON.stringify(args),
    status: 'completed',
  }
}

function message(text) {
  return { type: 'message', role: 'assistant', status: 'completed', content: [{ type: 'output_text', text }] }
}

/** The first text block of a tool's result is its JSON. */
function textOf(output) {
  const [first] = [output].flat()
  return JSON.parse(typeof first === 'string' ? first : first.text)
}
