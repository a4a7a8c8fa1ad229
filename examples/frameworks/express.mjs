// Express: creates a task with a callback URL, verifies the signed callbacks, replies if a person asks, and continues with the answer.
//   node express.mjs
import assert from 'node:assert/strict'
import { once } from 'node:events'
import express from 'express'
import { createClient, verifyWebhook, WebhookNotVerified } from 'handrail-client'

const handrail = createClient({ baseUrl: process.env.HANDRAIL_URL, apiKey: process.env.HANDRAIL_API_KEY })
const port = process.env.PORT ?? 8090

const app = express()
const seen = new Set() // Use a table in your database, so that it survives a restart.

// The signature covers the raw body, so this route must not use express.json().
app.post('/handrail', express.text({ type: 'application/json' }), async (request, response) => {
  const event = await verifyWebhook(request.headers, request.body, process.env.HANDRAIL_WEBHOOK_SECRET)
  if (event.type === 'service/task_question') await replyTo(event)
  // Callbacks may arrive twice, with the same event id.
  if (!seen.has(event.eventId)) {
    seen.add(event.eventId)
    app.emit(event.type, event)
  }
  response.sendStatus(204)
})
app.use((error, _request, response, _next) => {
  response.sendStatus(error instanceof WebhookNotVerified ? 400 : 500)
})
const server = app.listen(port, '127.0.0.1')
const handled = once(app, 'service/task_handled')

const { taskId, url } = await handrail.createTask({
  task: {
    type: 'invoice-approval',
    name: 'Pay invoice 2026-118 of €940?',
    description: 'It is higher than the offer.',
  },
  app: 'express-example',
  acceptsQuestions: true,
  actions: [
    { id: 'pay', title: 'Pay' },
    { id: 'dispute', title: 'Dispute' },
  ],
  callbackUrl: `http://127.0.0.1:${port}/handrail`,
  metadata: { invoice: '2026-118' },
})
console.log(`Waiting for an answer: ${url}`)

const [event] = await handled
assert.equal(event.taskId, taskId)
console.log(`${event.handledBy} chose ${event.action.id} for invoice ${event.metadata.invoice}.`)

// A request with a wrong signature is refused.
const forged = await fetch(`http://127.0.0.1:${port}/handrail`, {
  method: 'POST',
  headers: {
    'content-type': 'application/json',
    'webhook-id': event.eventId,
    'webhook-timestamp': String(Math.floor(Date.now() / 1000)),
    'webhook-signature': 'v1,Zm9yZ2Vk',
  },
  body: JSON.stringify(event),
})
assert.equal(forged.status, 400)
server.close()
server.closeAllConnections()

/** A question is answered only once, so a callback that arrives twice changes nothing. */
async function replyTo({ taskId, question }) {
  try {
    await handrail.reply(taskId, question.questionId, 'The offer was €880. They added the delivery.')
  } catch (problem) {
    if (problem.code !== 'task_not_open') throw problem // somebody has answered the task meanwhile
  }
}
