import { setTimeout as sleep } from 'node:timers/promises'
import { task } from './task.ts'

/** Whoever keeps tasks for people: what the work below needs of it. */
export type Keeper = {
  /** Gives back its id. */
  create(payload: typeof task): Promise<string>
  /** How many wait for a person, each read as a person would see it in a list. */
  waiting(ids: string[]): Promise<number>
  answer(id: string, answer: { actionId: string; data: object }): Promise<void>
  /** The answer, once it is there. */
  read(id: string): Promise<unknown>
  close(): Promise<void>
}

const clients = 8

/** Tasks a second through all of it: create, list what waits, answer, read the result. Eight clients at a time. */
export async function handOver(keeper: Keeper, tasks: number): Promise<number> {
  const began = performance.now()
  const ids: string[] = []
  await share(tasks, async () => {
    ids.push(await keeper.create(task))
  })
  // What runs in the background may not have come so far yet.
  while ((await keeper.waiting(ids)) < tasks) await sleep(20)
  const answer = { actionId: 'approve', data: {} }
  await share(tasks, (n) => keeper.answer(ids[n]!, answer))
  await share(tasks, async (n) => {
    if (!(await keeper.read(ids[n]!))) throw new Error(`Task ${ids[n]} has no answer.`)
  })
  return tasks / ((performance.now() - began) / 1000)
}

async function share(count: number, work: (n: number) => Promise<void>): Promise<void> {
  let next = 0
  const client = async () => {
    while (next < count) await work(next++)
  }
  await Promise.all(Array.from({ length: clients }, client))
}
