// A request waits for the answer. This is the simplest method.
import assert from 'node:assert/strict'
import { createClient, waitForAnswer } from 'handrail/client'

const handrail = createClient({
  baseUrl: process.env.HANDRAIL_URL ?? 'http://127.0.0.1:3000',
  apiKey: process.env.HANDRAIL_API_KEY ?? '',
})

const { taskId } = await handrail.createTask({
  task: {
    type: 'refund-approval',
    name: 'Refund €129.00 to Ines Duarte',
    description: 'The lid arrived broken. This is above the limit of €100 that I may refund alone.',
  },
  app: 'examples',
  acceptsQuestions: true,
  context: { data: { order: { number: '2026-118842', paid: '€129.00', item: 'Casserole, 26 cm' } } },
  actions: [
    {
      id: 'approve',
      title: 'Refund',
      schema: {
        type: 'object',
        required: ['amount'],
        properties: { amount: { type: 'number', title: 'Amount in €', maximum: 129, default: 129 } },
      },
    },
    { id: 'decline', title: 'Decline' },
  ],
})
console.log(`Waiting for a human: ${(await handrail.getTask(taskId)).url}`)

const task = await waitForAnswer(handrail, taskId, {
  // An agent with a language model would pass it the question. This one says what it knows.
  onQuestion: ({ text }) =>
    `I am a script and cannot look up "${text}". I know only the order: 2026-118842, paid by card on 3 November.`,
})

assert.equal(task.status, 'handled', `The task was ${task.status}.`)
const { actionId, data, handledBy } = task.handled!
if (actionId === 'approve') {
  assert(typeof data.amount === 'number' && data.amount <= 129)
  console.log(`${handledBy} approved €${data.amount}.`)
} else {
  // Includes service:mark-done and service:reject-request: anything but an approval.
  console.log(`${handledBy} said ${actionId}. Nothing is refunded.`)
}
