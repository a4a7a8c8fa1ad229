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
  acceptsQuestions: true,
  actions: [
    { id: 'buy', title: 'Buy' },
    {
      id: 'decline',
      title: 'Do not buy',
      schema: { type: 'object', required: ['reason'], properties: { reason: { type: 'string' } } },
    },
  ],
}

/** The steps of a model: create the task, wait, reply if a person asks back, report. */
const scriptedModel = {
  async getResponse({ input }) {
    const results = input
      .filter((item) => item.type === 'function_call_result')
      .map(({ output }) => textOf(output))
    return { usage: new Usage(), output: [nextStep(results)] }
  },
}

function nextStep(results) {
  if (results.length === 0) return toolCall('send_to_human', ask)
  const { taskId } = results[0]
  const { handled, questions = [] } = results.at(-1)
  if (handled) return message(`${handled.actionId}: ${handled.data.reason}`)
  const question = questions.find(({ answer }) => !answer)
  if (question) {
    const answers = question.questionId
    return toolCall('send_update', { taskId, answers, message: 'All ten are in the design team.' })
  }
  console.log(`waiting for ${taskId}`)
  return toolCall('get_task', { taskId, waitSeconds: 50 })
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
