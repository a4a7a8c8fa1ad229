import type { BacktestRule } from '../../../contract/rules/rule.ts'
import { findCurrentTask } from '../../storage/rules/history.ts'
import type { RuleRow } from '../../storage/rules/rules.ts'
import type { PersonActor } from '../actor.ts'
import type { Service } from '../service.ts'
import { actionsDigest } from './actions-digest.ts'
import { requireRuleAnswer } from './require-rule-answer.ts'
import { type VersionStreak, versionStreaks } from './version-streaks.ts'

type PinnedRule = Pick<RuleRow, 'action' | 'actionsDigest'> & {
  /** undefined: the actions are those in `sameAs`, so the stored versions stay valid. */
  versions: VersionStreak[] | undefined
}

/**
 * Pins a rule to the actions that agents send now, and reads per version how often people have
 * agreed with it. Skips the reading if the digest of the actions is `sameAs`.
 */
export async function pinRule(
  { database }: Service,
  actor: PersonActor,
  rule: BacktestRule & { app: string },
  { signal, sameAs }: { signal: AbortSignal; sameAs?: string | undefined },
): Promise<PinnedRule> {
  const { app, type, answer } = rule
  const { workspaceId } = actor
  const current = await database.inWorkspace(workspaceId, (tx) =>
    findCurrentTask(tx, { app, type }, answer.actionId),
  )
  const { action, actions } = requireRuleAnswer(current, answer)
  const digest = actionsDigest(actions)
  return {
    action: { id: action.id, title: action.title },
    actionsDigest: digest,
    versions:
      digest === sameAs ? undefined : await versionStreaks(database, workspaceId, rule, actions, signal),
  }
}
