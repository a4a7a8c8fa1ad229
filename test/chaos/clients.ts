import { setTimeout as sleep } from 'node:timers/promises'
import type { Caller, TestResponse } from '../support/http.ts'
import { taskPayload } from '../support/service.ts'
import type { Acknowledged } from './acknowledged.ts'

export type Clients = {
  acknowledged: Acknowledged
  openTasks: string[]
  isRunning: boolean
  /** Where answers are sent; without it agents read them. */
  callbackUrl?: string
}

/**
 * Returns undefined if the outcome of the call is unknown because the service was killed, is
 * stopping or is not up yet.
 */
async function unlessUnknown(call: Promise<TestResponse>): Promise<TestResponse | undefined> {
  const response = await call.catch(() => undefined)
  if (response && response.status !== 503) return response
  await sleep(50)
  return undefined
}

/** Retries a call until its outcome is known. Only for idempotent calls. */
async function retryUntilKnown(call: () => Promise<TestResponse>): Promise<TestResponse> {
  for (;;) {
    const response = await unlessUnknown(call())
    if (response) return response
  }
}

/** Creates tasks with idempotency keys, sends updates about some of them, and cancels some. */
export async function workAsAgent(clients: Clients, sender: string, caller: () => Caller): Promise<void> {
  const { acknowledged, openTasks, callbackUrl } = clients
  for (let number = 0; clients.isRunning; number++) {
    const name = `${sender} ${number}`
    const metadata = { sender, number }
    const payload = taskPayload({ metadata, threadId: `${sender} ${number % 7}`, callbackUrl }, { name })
    const startedAt = performance.now()
    const created = await retryUntilKnown(() => caller().post('/tasks', payload, { 'idempotency-key': name }))
    if (created.status !== 201 && created.status !== 200) {
      acknowledged.unexpected.push({ call: 'create', ...created })
      continue
    }
    const taskId: string = created.body.taskId
    acknowledged.created.push({ taskId, name, metadata, startedAt })
    openTasks.push(taskId)

    if (number % 3 === 0) {
      const message = `${name} continues`
      // Not retried: an update has no idempotency key.
      const update = await unlessUnknown(caller().post(`/tasks/${taskId}/updates`, { message }))
      if (update?.status === 201)
        acknowledged.updated.push({ taskId, updateId: update.body.updateId, message })
      else if (update && update.status !== 409) acknowledged.unexpected.push({ call: 'update', ...update })
    }
    if (number % 5 === 0) {
      const reason = `${name} is no longer needed`
      const cancel = await retryUntilKnown(() => caller().post(`/tasks/${taskId}/cancel`, { reason }))
      if (cancel.status === 200) acknowledged.cancelled.push({ taskId, reason })
      else if (cancel.status === 409) acknowledged.conflicts.push({ taskId, ...cancel.body })
      else acknowledged.unexpected.push({ call: 'cancel', ...cancel })
    }
  }
}

/** Answers open tasks, each once; often one that another person answers at the same time. */
export async function workAsPerson(clients: Clients, name: string, caller: () => Caller): Promise<void> {
  const { acknowledged, openTasks } = clients
  const answered = new Set<string>()
  while (clients.isRunning) {
    // Near the end of the list, where the others are working too.
    const taskId = openTasks.at(-1 - Math.floor(Math.random() * 3))
    if (!taskId || answered.has(taskId)) {
      await sleep(5)
      continue
    }
    answered.add(taskId)
    const answer = { actionId: 'decline', data: { reason: `${name} says no to ${taskId}` } }
    const handled = await retryUntilKnown(() => caller().post(`/tasks/${taskId}/handle`, answer))
    if (handled.status === 200) acknowledged.handled.push({ taskId, handled: handled.body.handled })
    else if (handled.status === 409) acknowledged.conflicts.push({ taskId, ...handled.body })
    else acknowledged.unexpected.push({ call: 'handle', ...handled })
  }
}
