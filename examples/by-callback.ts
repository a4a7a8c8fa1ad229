// The answer arrives as a signed HTTP POST. A real agent could exit and be started again by it.
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { createClient, type TaskHandledEvent, verifyWebhook } from 'handrail/client'

const secret = process.env.HANDRAIL_WEBHOOK_SECRET
assert(secret, 'Set HANDRAIL_WEBHOOK_SECRET. You find it in Settings, Webhooks.')
const handrail = createClient({
  baseUrl: process.env.HANDRAIL_URL ?? 'http://127.0.0.1:3000',
  apiKey: process.env.HANDRAIL_API_KEY ?? '',
})

const seen = new Set<string>()
const receiver = createServer(async (request, response) => {
  try {
    // The signature covers the raw body, so verify it before parsing.
    const event = await verifyWebhook(request.headers, await text(request), secret)
    // Before the response: if the reply fails, Handrail calls again. A question is answered only
    // once.
    if (event.type === 'service/task_question')
      await handrail
        .reply(
          event.taskId,
          event.question.questionId,
          'I am a script. The change that touches taxes rounds each line instead of the total.',
        )
        .catch((problem) => {
          if (problem.code !== 'task_not_open') throw problem // somebody has answered the task meanwhile
        })
    response.writeHead(204).end()
    // Delivery is at least once: an event may arrive twice with the same id.
    if (event.type === 'service/task_handled' && !seen.has(event.eventId)) {
      seen.add(event.eventId)
      receiver.emit('answer', event)
    }
  } catch {
    response.writeHead(400).end()
  }
})
receiver.listen(0, '127.0.0.1')
await once(receiver, 'listening')
const { port } = receiver.address() as AddressInfo

const answered = once(receiver, 'answer') as Promise<[TaskHandledEvent]>
const { taskId } = await handrail.createTask({
  task: {
    type: 'deploy-approval',
    name: 'Deploy checkout 3.18.0 to production',
    description: 'All checks are green. One change touches how taxes are rounded.',
  },
  app: 'examples',
  acceptsQuestions: true,
  callbackUrl: `http://127.0.0.1:${port}/handrail`,
  actions: [
    { id: 'deploy', title: 'Deploy' },
    { id: 'hold', title: 'Hold' },
  ],
})
console.log(`Waiting for a human: ${(await handrail.getTask(taskId)).url}`)

const [event] = await answered
receiver.close()

assert.equal(event.taskId, taskId)
console.log(event.action.id === 'deploy' ? `Deploying, as ${event.handledBy} said.` : 'On hold.')
