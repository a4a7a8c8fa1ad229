import { setTimeout as sleep } from 'node:timers/promises'
import { task } from './task.ts'

/** A system that stores tasks for people. */
export type TaskSystem = {
  /** Returns the id of the task. */
  create(payload: typeof task): Promise<string>
  /** The number of open tasks, each read with what a list shows. */
  countOpen(ids: string[]): Promise<number>
  answer(id: string, answer: { actionId: string; data: object }): Promise<void>
  /** Waits for the answer. */
  read(id: string): Promise<unknown>
  close(): Promise<void>
}

const clients = 8

/** Tasks per second through all steps: create, list open tasks, answer, read the result. Eight concurrent clients. */
export async function measureThroughput(system: TaskSystem, tasks: number): Promise<number> {
  const startedAt = performance.now()
  const ids: string[] = []
  await runConcurrently(tasks, async () => {
    ids.push(await system.create(task))
  })
  // Background work may still be running.
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
  await Promise.all(Array.from({ length: clients }, client))
}
