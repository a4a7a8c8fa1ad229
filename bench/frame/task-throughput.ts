import { setTimeout as sleep } from 'node:timers/promises'
import { task } from './task.ts'

/** Handrail or a peer. */
export type TaskSystem = {
  /** Returns the id of the task. */
  create(payload: typeof task): Promise<string>
  /** Reads the open tasks and returns their number. `ids` are the tasks that were created. */
  countOpen(ids: string[]): Promise<number>
  answer(id: string, answer: { actionId: string; data: object }): Promise<void>
  /** Returns the answer, after waiting for the system to process it. */
  read(id: string): Promise<unknown>
  close(): Promise<void>
}

export const concurrentClients = 8

/**
 * Tasks per second through all steps: create, list open tasks, answer, read the result. Clients
 * work concurrently.
 */
export async function measureThroughput(system: TaskSystem, tasks: number): Promise<number> {
  const startedAt = performance.now()
  const ids: string[] = []
  await runConcurrently(tasks, async () => {
    ids.push(await system.create(task))
  })
  // A system that creates tasks in the background may still be doing so.
  while ((await system.countOpen(ids)) < tasks) await sleep(20)
  const answer = { actionId: 'approve', data: {} }
  await runConcurrently(tasks, (n) => system.answer(ids[n]!, answer))
  await runConcurrently(tasks, async (n) => {
    if (!(await system.read(ids[n]!))) throw new Error(`Task ${ids[n]} has no answer.`)
  })
  return tasks / ((performance.now() - startedAt) / 1000)
}

async function runConcurrently(count: number, work: (n: number) => Promise<void>): Promise<void> {
  let next = 0
  const client = async () => {
    while (next < count) await work(next++)
  }
  await Promise.all(Array.from({ length: concurrentClients }, client))
}
