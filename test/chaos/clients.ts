import { setTimeout as sleep } from 'node:timers/promises'
import type { Caller, TestAnswer } from '../support/http.ts'
import { taskPayload } from '../support/service.ts'
import type { Told } from './acknowledged.ts'

export type Clients = {
  told: Told
  openTasks: string[]
  going: boolean
  /** Where answers are called back to; without it agents read them. */
  callbackUrl?: string
}

/** Answers that leave open whether the call was carried out: the service died, dies, or is not there yet. */
async function orUnknown(call: Promise<TestAnswer>): Promise<TestAnswer | undefined> {
  const answer = await call.catch(() => undefined)
  if (answer && answer.status !== 503) return answer
  await sleep(20)
  return undefined
}

/** Repeats a call until its outcome is known. Only for calls that may be repeated. */
async function certainly(call: () => Promise<TestAnswer>): Promise<TestAnswer> {
  for (;;) {
    const answer = await orUnknown(call())
    if (answer) return answer
  }
}

/** Makes tasks, each under an idempotency key until it knows of it; reports on them; cancels some. */
export async function workAsAgent(clients: Clients, sender: string, caller: () => Caller): Promise<void> {
  const { told, openTasks, callbackUrl } = clients
  for (let number = 0; clients.going; number++) {
    const name = `${sender} ${number}`
    const metadata = { sender, number }
    const payload = taskPayload({ metadata, threadId: `${sender} ${number % 7}`, callbackUrl }, { name })
    const begun = performance.now()
    const made = await certainly(() => caller().post('/tasks', payload, { 'idempotency-key': name }))
    if (made.status !== 201 && made.status !== 200) {
      told.odd.push({ call: 'create', ...made })
      continue
    }
    const taskId: string = made.body.taskId
    told.created.push({ taskId, name, metadata, begun })
    openTasks.push(taskId)

    if (number % 3 === 0) {
      const message = `${name} goes on`
      // Not repeated: an update has no idempotency key.
      const update = await orUnknown(caller().post(`/tasks/${taskId}/updates`, { message }))
      if (update?.status === 201) told.updated.push({ taskId, updateId: update.body.updateId, message })
      else if (update && update.status !== 409) told.odd.push({ call: 'update', ...update })
    }
    if (number % 5 === 0) {
      const reason = `${name} is not needed`
      const cancel = await certainly(() => caller().post(`/tasks/${taskId}/cancel`, { reason }))
      if (cancel.status === 200) told.cancelled.push({ taskId, reason })
      else if (cancel.status === 409) told.lost.push({ taskId, ...cancel.body })
      else told.odd.push({ call: 'cancel', ...cancel })
    }
  }
}

/** Answers open tasks, each once; often one that a colleague answers at the same time. */
export async function workAsPerson(clients: Clients, name: string, caller: () => Caller): Promise<void> {
  const { told, openTasks } = clients
  const answered = new Set<string>()
  while (clients.going) {
    // Near the end of the list: that is where the others are.
    const taskId = openTasks.at(-1 - Math.floor(Math.random() * 3))
    if (!taskId || answered.has(taskId)) {
      await sleep(5)
      continue
    }
    answered.add(taskId)
    const answer = { actionId: 'decline', data: { reason: `${name} says no to ${taskId}` } }
    const handled = await certainly(() => caller().post(`/tasks/${taskId}/handle`, answer))
    if (handled.status === 200) told.handled.push({ taskId, handled: handled.body.handled })
    else if (handled.status === 409) told.lost.push({ taskId, ...handled.body })
    else told.odd.push({ call: 'handle', ...handled })
  }
}
