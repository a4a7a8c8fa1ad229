import type { BacktestRule } from '../../../contract/rules/rule.ts'
import type { Database } from '../../storage/engine/database.ts'
import type { StoredAction } from '../../storage/engine/task-tables.ts'
import { actionsDigest } from './actions-digest.ts'
import { compareAnswer, readPastAnswers } from './past-answers.ts'

export type VersionStreak = {
  /** Empty for tasks without a version. */
  version: string
  /** How many answers people gave to tasks that the rule would have answered. */
  matching: number
  /** How many of these, from the newest back to the first disagreement, agree with the rule. */
  agreedInRow: number
}

/** Counts, per version, how many answers in a row agree. Answers are added newest first. */
export function createStreaks() {
  const streaks = new Map<string, VersionStreak & { isOver: boolean }>()
  return {
    add(version: string, agrees: boolean): void {
      const streak = streaks.get(version) ?? { version, matching: 0, agreedInRow: 0, isOver: false }
      streaks.set(version, streak)
      streak.matching += 1
      streak.isOver ||= !agrees
      if (!streak.isOver) streak.agreedInRow += 1
    },
    /** The version with the newest answer comes first. */
    list: (): VersionStreak[] => [...streaks.values()].map(({ isOver: _, ...streak }) => streak),
  }
}

/**
 * How many of the newest answers in a row agree with a rule, per version of the agent. Only tasks
 * with the same `actions` count.
 */
export async function versionStreaks(
  database: Database,
  workspaceId: string,
  { app, type, ...rule }: BacktestRule & { app: string },
  actions: StoredAction[],
  signal: AbortSignal,
): Promise<VersionStreak[]> {
  const digest = actionsDigest(actions)
  const action = actions.find(({ id }) => id === rule.answer.actionId)
  const streaks = createStreaks()
  if (!action) return []
  for await (const past of readPastAnswers(database, workspaceId, { app, type }, signal)) {
    const agrees = past.actionsDigest === digest ? compareAnswer(past, rule, action) : undefined
    if (agrees !== undefined) streaks.add(past.version, agrees)
  }
  return streaks.list()
}
