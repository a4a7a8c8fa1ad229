import { CreateTask } from '../../../contract/create-task.ts'
import { zodViolations } from '../../../contract/zod-violations.ts'
import { nextTurn } from '../../lib/event-loop.ts'
import type { Actor } from '../actor.ts'
import { invalidRequest } from '../problems.ts'
import type { Service } from '../service.ts'
import { type CallContext, type CreateTaskResult, createTask } from './create-task.ts'

/**
 * Creates each task as if it had been sent alone; storage batches the inserts. Tasks with the same
 * idempotency key are created one after the other, so that each finds the key that an earlier one
 * has claimed. Returns one result per task, in the order of `inputs`.
 */
export async function createTasks(
  service: Service,
  actor: Actor,
  inputs: unknown[],
  context: CallContext,
): Promise<PromiseSettledResult<CreateTaskResult>[]> {
  const results: Promise<PromiseSettledResult<CreateTaskResult>>[] = []
  const lastWithKey = new Map<string, Promise<unknown>>()
  const createOne = async (input: unknown): Promise<CreateTaskResult> => {
    const parsed = CreateTask.safeParse(input)
    if (!parsed.success) throw invalidRequest(zodViolations(parsed.error, CreateTask, input))
    const { idempotencyKey: key } = parsed.data
    const earlier = key === undefined ? undefined : lastWithKey.get(key)
    const created = Promise.resolve(earlier).then(() => createTask(service, actor, parsed.data, context))
    if (key !== undefined) lastWithKey.set(key, settle(created))
    return await created
  }
  for (const input of inputs) {
    // Checking a task may take milliseconds. Other requests run between two of these checks.
    await nextTurn()
    results.push(settle(createOne(input)))
  }
  return await Promise.all(results)
}

/**
 * Handles a rejection at once: one that is unhandled while other tasks are being started would end
 * the process.
 */
async function settle<T>(promise: Promise<T>): Promise<PromiseSettledResult<T>> {
  const [result] = await Promise.allSettled([promise])
  return result
}
