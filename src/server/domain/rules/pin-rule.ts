import type { Action } from '../../../contract/action.ts'
import { checkActionAnswer } from '../../../contract/forms/check-answer.ts'
import type { BacktestRule } from '../../../contract/rules/rule.ts'
import { ruleAnswer } from '../../../contract/rules/rule-answer.ts'
import { matches } from '../../lib/re2-patterns.ts'
import { findCurrentTask } from '../../storage/rules/history.ts'
import type { PersonActor } from '../actor.ts'
import { invalidRequest } from '../problems.ts'
import type { Service } from '../service.ts'
import { actionsDigest } from './actions-digest.ts'
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
    const action = current?.actions.find(({ id }) => id === answer.actionId)
    if (!current || !action)
      throw invalidRequest([
        {
          path: 'answer.actionId',
          message: 'No recent task of this app and type has this action. Send the id of one that tasks have.',
        },
      ])
    const errors = checkActionAnswer(action, ruleAnswer(action, current.data, answer.data), { matches })
    if (errors.length > 0)
      throw invalidRequest(
        errors.map(({ path, message }) => ({
          path: path ? `answer.data.${path}` : 'answer.data',
          message,
        })),
      )
    return {
      action,
      actionsDigest: actionsDigest(current.actions),
      versions: await versionStreaks(tx, rule, current.actions),
    }
  })
}
