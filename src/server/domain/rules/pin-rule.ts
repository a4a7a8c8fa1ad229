import type { Action } from '../../../contract/action.ts'
import type { BacktestRule } from '../../../contract/rules/rule.ts'
import { findCurrentTask } from '../../storage/rules/history.ts'
import type { PersonActor } from '../actor.ts'
import type { Service } from '../service.ts'
import { actionsDigest } from './actions-digest.ts'
import { requireRuleAnswer } from './require-rule-answer.ts'
import { type VersionStreak, versionStreaks } from './version-streaks.ts'

export type PinnedRule = { action: Action; actionsDigest: string; versions: VersionStreak[] }

/** Pins a rule to the actions that agents send now, and reads how often people have agreed with it. */
export async function pinRule(
  { database }: Service,
  actor: PersonActor,
  rule: BacktestRule & { app: string },
): Promise<PinnedRule> {
  return await database.inWorkspace(actor.workspaceId, async (tx) => {
    const { app, type, answer } = rule
    const current = await findCurrentTask(tx, { app, type }, answer.actionId)
    const { action, actions } = requireRuleAnswer(current, answer)
    return {
      action,
      actionsDigest: actionsDigest(actions),
      versions: await versionStreaks(tx, rule, actions),
    }
  })
}
