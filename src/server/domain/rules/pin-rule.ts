import type { BacktestRule } from '../../../contract/rules/rule.ts'
import { findCurrentTask } from '../../storage/rules/history.ts'
import type { RuleRow } from '../../storage/rules/rules.ts'
import type { PersonActor } from '../actor.ts'
import type { Service } from '../service.ts'
import { actionsDigest } from './actions-digest.ts'
import { requireRuleActions } from './require-rule-actions.ts'
import { type VersionStreak, versionStreaks } from './version-streaks.ts'

type PinnedRule = Pick<RuleRow, 'action' | 'actionsDigest'> & {
  /**
   * How often people agreed, by version. undefined: not read, because the digest of the actions is
   * `sameAs`.
   */
  versions: VersionStreak[] | undefined
}

/**
 * The actions that agents send now, for which a rule is made, and per version how often in a row
 * people have agreed with the rule. The answers are not read if the digest of the actions is
 * `sameAs`: what is stored about the versions is still valid then.
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
  const { action, actions } = requireRuleActions(current, answer)
  const digest = actionsDigest(actions)
  return {
    action: { id: action.id, title: action.title },
    actionsDigest: digest,
    versions:
      digest === sameAs ? undefined : await versionStreaks(database, workspaceId, rule, actions, signal),
  }
}
