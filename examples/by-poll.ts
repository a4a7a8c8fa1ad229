// The answer is polled every few seconds. An idempotency key makes the script safe to run again.
import assert from 'node:assert/strict'
import { setTimeout as sleep } from 'node:timers/promises'
import { createClient } from 'handrail/client'

const handrail = createClient({
  baseUrl: process.env.HANDRAIL_URL ?? 'http://127.0.0.1:3000',
  apiKey: process.env.HANDRAIL_API_KEY ?? '',
})

const { taskId } = await handrail.createTask(
  {
    task: {
      type: 'question',
      name: 'Who signs contracts above €50,000?',
      description: 'I found two names in the handbook: Amara Osei and Jonas Field.',
    },
    app: 'examples',
    acceptsQuestions: true,
    actions: [
      {
        id: 'answer',
        title: 'Answer',
        schema: {
          type: 'object',
          required: ['name'],
          properties: { name: { type: 'string', title: 'Name', enum: ['Amara Osei', 'Jonas Field'] } },
        },
        ui: { name: { 'ui:widget': 'radio' } },
      },
    ],
  },
  { idempotencyKey: `who-signs-${process.env.RUN_ID ?? process.pid}` },
)
let task = await handrail.getTask(taskId)
console.log(`Waiting for a human: ${task.url}`)

while (task.status === 'open') {
  await sleep(3_000)
  task = await handrail.getTask(taskId)
  for (const { questionId, text, answer } of task.questions ?? []) {
    if (answer || task.status !== 'open') continue
    const message = `I am a script and cannot look up "${text}". I know only the two names.`
    await handrail.reply(taskId, questionId, message).catch((problem) => {
      if (problem.code !== 'task_not_open') throw problem // somebody has answered the task meanwhile
    })
  }
}

assert.equal(task.status, 'handled', `The task was ${task.status}.`)
const { actionId, data } = task.handled!
if (actionId !== 'answer') {
  console.log(`No name was chosen: ${actionId}.`)
} else {
  assert(['Amara Osei', 'Jonas Field'].includes(String(data.name)))
  console.log(`It is ${data.name}.`)
}
