import { limits } from '../../../contract/limits.ts'
import { agreementAtLeast } from '../../../contract/rules/agreement-bound.ts'
import type { Backtest, BacktestRule } from '../../../contract/rules/rule.ts'
import { readClock } from '../../storage/engine/read-clock.ts'
import { findCurrentTask } from '../../storage/rules/history.ts'
import { type PersonActor, requireRole } from '../actor.ts'
import type { Service } from '../service.ts'
import { actionsDigest } from './actions-digest.ts'
import { compareAnswer, perDay, readPastAnswers, toDisagreement } from './past-answers.ts'
import { requireRuleActions } from './require-rule-actions.ts'
import { createStreaks } from './version-streaks.ts'

const maxListed = 100

/** What a rule would have answered, compared with what people answered. Changes nothing. */
export async function backtestRule(
  { database }: Service,
  actor: PersonActor,
  { app = 'default', type, ...rule }: BacktestRule,
  signal: AbortSignal,
): Promise<Backtest> {
  requireRole(actor, 'admin')
  const appAndType = { app, type }
  const { current, now } = await database.inWorkspace(actor.workspaceId, async (tx) => ({
    current: await findCurrentTask(tx, appAndType, rule.answer.actionId),
    now: await readClock(tx),
  }))
  const { action, actions } = requireRuleActions(current, rule.answer)
  const digest = actionsDigest(actions)

  const streaks = createStreaks()
  // Without the contexts, of which each may take megabytes of memory.
  const disagreements: Backtest['disagreements'] = []
  let [answers, compared, matching, agreed] = [0, 0, 0, 0]
  let oldest = now
  for await (const past of readPastAnswers(database, actor.workspaceId, appAndType, signal)) {
    answers += 1
    if (past.actionsDigest !== digest) continue
    compared += 1
    oldest = past.endedAt
    const agrees = compareAnswer(past, rule, action)
    if (agrees === undefined) continue
    matching += 1
    streaks.add(past.version, agrees)
    if (agrees) agreed += 1
    else if (disagreements.length < maxListed) disagreements.push(toDisagreement(past))
  }
  return {
    answers,
    otherActions: answers - compared,
    matching,
    agreed,
    atLeast: agreementAtLeast(agreed, matching),
    perDay: perDay(matching, oldest, now),
    versions: streaks
      .list()
      .map((streak) => ({ ...streak, passes: streak.agreedInRow >= limits.ruleNewVersionAgreements })),
    disagreements,
  }
}
