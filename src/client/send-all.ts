import type { CreateTask, TaskCreated } from '../contract/create-task.ts'
import { limits } from '../contract/limits.ts'
import type { TaskResult } from '../contract/task-batch.ts'
import { HandrailProblem } from './problem.ts'
import { createAttempts, isTransient, retry } from './retry.ts'
import { type TaskCalls, withKey } from './tasks.ts'

/** What became of one task: it was created, or `error` says why not. */
export type SendResult =
  | { task: TaskCreated; error?: undefined }
  | { task?: undefined; error: HandrailProblem }

type Item = { task: CreateTask; bytes: number; result?: SendResult }

/**
 * Creates many tasks, up to 100 per request, and returns one result per task in their order.
 * Problems are results, not thrown; transient ones are retried first. Throws if `signal` is aborted.
 */
export async function sendAll(
  calls: Pick<TaskCalls, 'createTasks'>,
  tasks: readonly CreateTask[],
  { signal }: { signal?: AbortSignal } = {},
): Promise<SendResult[]> {
  const items = tasks.map(itemOf)
  let failure: HandrailProblem | undefined
  for (const batch of split(items)) {
    failure ??= await sendBatch(calls, batch, signal)
    if (failure) for (const item of batch) item.result ??= { error: failure }
  }
  return items.map(({ result }) => result!)
}

/** With a key, a retry does not create the task again. */
function itemOf(input: CreateTask): Item {
  const task = withKey(input, crypto.randomUUID())
  return { task, bytes: new TextEncoder().encode(JSON.stringify(task)).length }
}

function split(items: Item[]): Item[][] {
  const batches: Item[][] = []
  let bytes = 0
  for (const item of items) {
    const batch = batches.at(-1)
    bytes += item.bytes + 1
    if (batch && batch.length < limits.batchTasks && bytes <= limits.bodyBytes) batch.push(item)
    else {
      batches.push([item])
      bytes = '{"tasks":[]}'.length + item.bytes
    }
  }
  return batches
}

/**
 * Sets the results of the tasks. Returns a problem that the next batches would have, too, such as a
 * revoked key.
 */
async function sendBatch(
  calls: Pick<TaskCalls, 'createTasks'>,
  batch: Item[],
  signal: AbortSignal | undefined,
): Promise<HandrailProblem | undefined> {
  try {
    await retry(() => sendPending(calls, batch, signal), { attempts: createAttempts, signal })
    return undefined
  } catch (problem) {
    if (!(problem instanceof HandrailProblem)) throw problem
    // The service has responded for each task. A problem that is still transient after all attempts
    // is the result of its task.
    if (batch.every(({ result }) => result)) return undefined
    if (![400, 413].includes(problem.status)) return problem
    // The service refuses the body because of one of the tasks, or because together they exceed a
    // limit.
    const half = Math.ceil(batch.length / 2)
    if (batch.length > 1)
      return (
        (await sendBatch(calls, batch.slice(0, half), signal)) ??
        (await sendBatch(calls, batch.slice(half), signal))
      )
    batch[0]!.result = { error: problem }
    return undefined
  }
}

/**
 * Sends the tasks without a final result. Throws if one has a transient problem, so that the caller
 * retries.
 */
async function sendPending(
  calls: Pick<TaskCalls, 'createTasks'>,
  batch: Item[],
  signal: AbortSignal | undefined,
): Promise<void> {
  const pending = batch.filter(({ result }) => !result || isTransient(result.error))
  const { results } = await calls.createTasks({ tasks: pending.map(({ task }) => task) }, signal)
  for (const [index, item] of pending.entries()) item.result = toSendResult(results[index]!)
  const transient = pending.find(({ result }) => isTransient(result?.error))
  if (transient) throw transient.result?.error
}

function toSendResult(result: TaskResult): SendResult {
  return 'task' in result ? { task: result.task } : { error: new HandrailProblem(result.problem) }
}
