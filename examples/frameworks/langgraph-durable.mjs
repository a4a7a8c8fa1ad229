// LangGraph: the graph stops at interrupt() with its state in SQLite, and the process exits. When a person has answered, Handrail's
// signed callback resumes the graph in another process. If they ask first, the callback is answered from the state, and the graph stays
// interrupted.
//   node langgraph-durable.mjs start     runs the graph until it needs a person
//   node langgraph-durable.mjs resume    receives the callbacks and runs the rest
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { Annotation, Command, END, INTERRUPT, interrupt, START, StateGraph } from '@langchain/langgraph'
import { SqliteSaver } from '@langchain/langgraph-checkpoint-sqlite'
import express from 'express'
import { createClient, verifyWebhook, WebhookNotVerified } from 'handrail-client'

const handrail = createClient({ baseUrl: process.env.HANDRAIL_URL, apiKey: process.env.HANDRAIL_API_KEY })

const State = Annotation.Root({ question: Annotation(), draft: Annotation(), outcome: Annotation() })

const graph = new StateGraph(State)
  // A model would write the draft.
  .addNode('write', ({ question }) => ({ draft: `About “${question}”: we will refund you.` }))
  .addNode('review', ({ draft }) => {
    // The node runs again on resume, so create the task outside it.
    const answer = interrupt({ draft })
    return { outcome: answer.id === 'send' ? `sent: ${answer.data.text}` : `not sent (${answer.id})` }
  })
  .addEdge(START, 'write')
  .addEdge('write', 'review')
  .addEdge('review', END)
  .compile({ checkpointer: SqliteSaver.fromConnString('langgraph.sqlite') })

if (process.argv[2] === 'start') await start('ticket-58213', 'The lid arrived broken')
else await resume()

async function start(threadId, question) {
  const result = await graph.invoke({ question }, { configurable: { thread_id: threadId } })
  const [{ id, value }] = result[INTERRUPT]

  const task = {
    task: { type: 'reply-review', name: `Reply: ${question}`, description: 'May I send this reply?' },
    app: 'langgraph-example',
    acceptsQuestions: true,
    context: { data: value },
    actions: [
      {
        id: 'send',
        title: 'Send',
        schema: {
          type: 'object',
          required: ['text'],
          properties: { text: { type: 'string', default: value.draft } },
        },
        ui: { text: { 'ui:widget': 'textarea' } },
      },
      { id: 'discard', title: 'Do not send' },
    ],
    callbackUrl: `http://127.0.0.1:${process.env.PORT ?? 8090}/handrail`,
    metadata: { threadId },
  }
  // The key makes it safe to run this twice for the same interrupt.
  const { url } = await handrail.createTask(task, { idempotencyKey: `${threadId}:${id}` })
  console.log(`The graph is saved. Waiting for an answer: ${url}`)
}

async function resume() {
  const app = express()
  app.post('/handrail', express.text({ type: 'application/json' }), async (request, response) => {
    const event = await verifyWebhook(request.headers, request.body, process.env.HANDRAIL_WEBHOOK_SECRET)
    const config = { configurable: { thread_id: event.metadata.threadId } }
    const { next, values } = await graph.getState(config)
    if (event.type === 'service/task_question') await replyTo(event, values)
    // Callbacks may arrive twice: a graph that no longer waits has received its answer.
    else if (next.includes('review')) {
      // An expired or cancelled task has no action.
      const answer = event.action ?? { id: event.status }
      const { outcome } = await graph.invoke(new Command({ resume: answer }), config)
      console.log(`Resumed in a new process: ${outcome}`)
    }
    // Only now, so that Handrail calls again if the graph fails. It waits 15 seconds: queue the event if yours takes longer.
    response.sendStatus(204)
    if (event.type !== 'service/task_question') app.emit('resumed', await graph.getState(config))
  })
  app.use((error, _request, response, _next) => {
    response.sendStatus(error instanceof WebhookNotVerified ? 400 : 500)
  })
  const server = app.listen(process.env.PORT ?? 8090, '127.0.0.1')

  const [{ values, next }] = await once(app, 'resumed')
  server.close()
  assert.deepEqual(next, [])
  assert.equal(values.question, 'The lid arrived broken', 'The state of the first process was restored.')
  assert.match(values.outcome, /sent/)
}

/** A model would read the question with the state of the graph. A question is answered only once, also if the callback arrives twice. */
async function replyTo({ taskId, question }, state) {
  try {
    await handrail.reply(
      taskId,
      question.questionId,
      `I know only what the customer wrote: ${state.question}.`,
    )
  } catch (problem) {
    if (problem.code !== 'task_not_open') throw problem // somebody has answered the task meanwhile
  }
}
