import { CreateTask } from '../../../contract/task.ts'
import { zodViolations } from '../../../contract/zod-violations.ts'
import { nextTurn } from '../../lib/next-turn.ts'
import type { Actor } from '../actor.ts'
import { invalidRequest } from '../problems.ts'
import type { Service } from '../service.ts'
import { type CreateTaskResult, createTask, type Origin } from './create-task.ts'

/**
 * Creates each task as if it had been sent alone; storage batches the inserts. Returns one result per input, in
 * their order.
 */
export async function createTasks(
  service: Service,
  actor: Actor,
  inputs: unknown[],
  origin: Origin,
): Promise<PromiseSettledResult<CreateTaskResult>[]> {
  const results: Promise<PromiseSettledResult<CreateTaskResult>>[] = []
  for (const input of inputs) {
    // Checking a task may take a turn of the event loop. Checking all of them in one would block other requests.
    await nextTurn()
    results.push(settle(createOne(service, actor, input, origin)))
  }
  return await Promise.all(results)
}

async function createOne(
  service: Service,
  actor: Actor,
  input: unknown,
  origin: Origin,
): Promise<CreateTaskResult> {
  const parsed = CreateTask.safeParse(input)
  if (!parsed.success) throw invalidRequest(zodViolations(parsed.error, CreateTask, input))
  return await createTask(service, actor, parsed.data, origin)
}

/** At once, because a rejection that nobody handles until all tasks are started would end the process. */
async function settle<T>(promise: Promise<T>): Promise<PromiseSettledResult<T>> {
  const [result] = await Promise.allSettled([promise])
  return result
}
