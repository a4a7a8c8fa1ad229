// LangGraph: a graph with a person in the loop. A function replaces the model that would write the draft.
import assert from 'node:assert/strict'
import { Annotation, END, START, StateGraph } from '@langchain/langgraph'
import { MultiServerMCPClient } from '@langchain/mcp-adapters'

const mcp = new MultiServerMCPClient({
  mcpServers: {
    handrail: {
      transport: 'http',
      url: process.env.MCP_URL,
      headers: { 'X-Api-Key': process.env.HANDRAIL_API_KEY },
    },
  },
})
const tools = await mcp.getTools()
const call = async (name, args) => {
  const [result] = [await tools.find((tool) => tool.name === name).invoke(args)].flat()
  return JSON.parse(result.text)
}

const State = Annotation.Root({ request: Annotation(), draft: Annotation(), verdict: Annotation() })

const graph = new StateGraph(State)
  .addNode('write', async ({ request }) => ({ draft: `Dear customer, about “${request}”: we refund you.` }))
  .addNode('ask', async ({ request, draft }) => {
    const { taskId } = await call('send_to_human', {
      task: { type: 'reply-review', name: `Reply: ${request}`, description: 'May I send this?' },
      app: 'langgraph-example',
      acceptsQuestions: true,
      context: { data: { draft } },
      actions: [
        { id: 'send', title: 'Send it' },
        {
          id: 'decline',
          title: 'Do not send',
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
      const message = `I know only what the customer wrote: ${request}.`
      await call('send_update', { taskId, message, answers: question.questionId }).catch((error) => {
        if (!error.message.includes('task_not_open')) throw error // somebody has answered the task meanwhile
      })
    } while (task.status === 'open')
    return { verdict: task.handled }
  })
  .addNode('send', async () => ({}))
  .addEdge(START, 'write')
  .addEdge('write', 'ask')
  .addConditionalEdges('ask', ({ verdict }) => (verdict?.actionId === 'send' ? 'send' : END))
  .addEdge('send', END)
  .compile()

const { verdict } = await graph.invoke({ request: 'The lid arrived broken' })
await mcp.close()

assert.equal(verdict.actionId, 'decline')
console.log(`Not sent: ${verdict.data.reason}`)
console.log('client passed')
