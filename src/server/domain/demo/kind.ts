import type { CreateTask, Presented } from '../../../contract/task.ts'
import type { Random } from './random.ts'

export type InventedAnswer = {
  actionId: string
  data: Record<string, unknown>
  presented?: Presented
}

/** One app and type: what its agent sends, and what people answer to it. */
export type Kind = {
  /** How many of a hundred tasks are of this kind. */
  percent: number
  /** `age` in days. */
  payload(random: Random, age: number): CreateTask
  answer(random: Random, payload: CreateTask): InventedAnswer
  /** Of how many the deadline comes first. */
  overdue: number
}

/** The release that was out `age` days ago. Listed newest first, with the age at which each came. */
export function releaseAt(
  age: number,
  releases: readonly (readonly [version: string, since: number])[],
): string {
  return releases.find(([, since]) => age < since)?.[0] ?? releases.at(-1)![0]
}
