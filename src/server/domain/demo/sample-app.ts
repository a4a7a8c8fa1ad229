import type { CreateTask } from '../../../contract/create-task.ts'
import type { QuestionKind } from '../../../contract/question.ts'
import type { Presented } from '../../../contract/task-answer.ts'
import type { Random } from './random.ts'

/**
 * What a person asked before they answered, and the reply. `revised` is the task after the agent's
 * revision.
 */
export type SampleQuestion = { kind: QuestionKind; text: string; reply: string; revised?: CreateTask }

export type SampleAnswer = {
  actionId: string
  data: Record<string, unknown>
  presented?: Presented
  question?: SampleQuestion
}

/** One app and type: what its agent sends, and what people answer. */
export type SampleApp = {
  /** The share of the ended sample tasks that are of this app and type. */
  share: number
  /** `age`: how many days ago the task was sent. */
  payload(random: Random, age: number): CreateTask
  answer(random: Random, payload: CreateTask): SampleAnswer
  /** The share of tasks that reach their deadline unanswered. */
  overdueShare: number
}

/**
 * The version in use `age` days ago. `releases` are newest first, each with the days since its
 * release.
 */
export function releaseAt(
  age: number,
  releases: readonly (readonly [version: string, since: number])[],
): string {
  return releases.find(([, since]) => age < since)?.[0] ?? releases.at(-1)![0]
}
