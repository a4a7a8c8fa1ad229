import { setTimeout as sleep } from 'node:timers/promises'
import { task } from './task.ts'

/** A system that stores tasks for people. */
export type Keeper = {
  /** Returns the id of the task. */
  create(payload: typeof task): Promise<string>
  /** The number of open tasks, each read with what a list shows. */
  waiting(ids: string[]): Promise<number>
  answer(id: string, answer: { actionId: string; data: object }): Promise<void>
  /** Waits for the answer. */
  read(id: string): Promise<unknown>
  close(): Promise<void>
}

const clients = 8

/** Tasks per second through all steps: create, list open tasks, answer, read the result. Eight concurrent clients. */
export async function handOver(keeper: Keeper, tasks: number): Promise<number> {
  const startedAt = performance.now()
  const ids: string[] = []
  await share(tasks, async () => {
    ids.push(await keeper.create(task))
  })
  // Background work may still be running.
  while ((await keeper.waiting(ids)) < tasks) await sleep(20)
  const answer = { actionId: 'approve', data: {} }
  await share(tasks, (n) => keeper.answer(ids[n]!, answer))
  await share(tasks, async (n) => {
    if (!(await keeper.read(ids[n]!))) throw new Error(`Task ${ids[n]} has no answer.`)
  })
  return tasks / ((performance.now() - startedAt) / 1000)
}

async function share(count: number, work: (n: number) => Promise<void>): Promise<void> {
  let next = 0
  const client = async () => {
    while (next < count) await work(next++)
  }
  await Promise.all(Array.from({ length: clients }, client))
}
