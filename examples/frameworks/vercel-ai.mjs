// Vercel AI SDK: Handrail's tools as the SDK passes them to a model. Called directly here, so that this runs without a model;
// with a model, use generateText({ model, tools, stopWhen: stepCountIs(10), prompt }).
import assert from 'node:assert/strict'
import { createMCPClient } from '@ai-sdk/mcp'

const mcp = await createMCPClient({
  transport: {
    type: 'http',
    url: process.env.MCP_URL,
    headers: { 'X-Api-Key': process.env.HANDRAIL_API_KEY },
  },
})
const tools = await mcp.tools()
const call = async (name, args) => {
  const { content, isError } = await tools[name].execute(args, { toolCallId: name, messages: [] })
  // An error names each path and what to send instead, so that a model can correct its call.
  assert(!isError, content[0].text)
  return JSON.parse(content[0].text)
}

const { taskId } = await call('send_to_human', {
  task: {
    type: 'publish-approval',
    name: 'Publish “Five quiet keyboards”?',
    description: 'It names two shops that pay us.',
  },
  app: 'vercel-example',
  acceptsQuestions: true,
  actions: [
    { id: 'publish', title: 'Publish' },
    {
      id: 'decline',
      title: 'Do not publish',
      schema: { type: 'object', required: ['reason'], properties: { reason: { type: 'string' } } },
    },
  ],
})
console.log(`waiting for ${taskId}`)
let task
do {
  task = await call('get_task', { taskId, waitSeconds: 50 })
  // A person who lacks something asks first. A model would read the question.
  const question = task.questions?.find(({ answer }) => !answer)
  if (task.status !== 'open' || !question) continue
  const message = 'The shops are in paragraphs two and five. Both links are marked as advertising.'
  await call('send_update', { taskId, message, answers: question.questionId }).catch((error) => {
    if (!error.message.includes('task_not_open')) throw error // somebody has answered the task meanwhile
  })
} while (task.status === 'open')
await mcp.close()

assert.equal(task.handled.actionId, 'decline')
console.log(`Not published: ${task.handled.data.reason}`)
console.log('client passed')
