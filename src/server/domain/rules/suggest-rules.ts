import { checkActionAnswer } from '../../../contract/forms/check-answer.ts'
import { limits } from '../../../contract/limits.ts'
import { matchesConditions } from '../../../contract/rules/matches-conditions.ts'
import type { ListRuleSuggestions, RuleCondition, RuleSuggestions } from '../../../contract/rules/rule.ts'
import { ruleAnswer } from '../../../contract/rules/rule-answer.ts'
import { matches } from '../../lib/re2-patterns.ts'
import { completeInTurns } from '../../lib/steps.ts'
import { readClock } from '../../storage/engine/read-clock.ts'
import { type CurrentTask, findCurrentTask } from '../../storage/rules/history.ts'
import { type PersonActor, requireRole } from '../actor.ts'
import type { Service } from '../service.ts'
import { actionsDigest } from './actions-digest.ts'
import { createCaseTable } from './case-table.ts'
import { findSuggestions } from './find-suggestions.ts'
import { type OwnAnswer, ownAnswer } from './own-answer.ts'
import { type InTransaction, readPastAnswers } from './past-answers.ts'

// The search takes less than a second, also if nobody waits for it any more.
const neverAborted = new AbortController().signal

/** Rules that people would have agreed with. Answers to tasks that match `existing` rules are left out. */
export async function suggestRules(
  { database }: Service,
  actor: PersonActor,
  { app = 'default', type }: ListRuleSuggestions,
  signal: AbortSignal,
  existing: RuleCondition[][] = [],
): Promise<RuleSuggestions> {
  requireRole(actor, 'admin')
  const pair = { app, type }
  const inTransaction: InTransaction = (work) => database.inWorkspace(actor.workspaceId, work)
  const { current, now } = await inTransaction(async (tx) => ({
    current: await findCurrentTask(tx, pair),
    now: await readClock(tx),
  }))
  const table = createCaseTable()
  const digest = current && actionsDigest(current.actions)
  for await (const past of readPastAnswers(inTransaction, pair, signal)) {
    if (past.actionsDigest !== digest || existing.some((when) => matchesConditions(when, past.data))) continue
    table.add(past, ownAnswer(past, past.actions))
  }
  const cases = table.finish()
  const search =
    current && findSuggestions(cases, { type, now, ...current, fits: (answer) => fitsForm(current, answer) })
  const suggestions = search ? await completeInTurns(search, neverAborted) : []
  return { answers: cases.cases.length, needed: limits.ruleSuggestionAnswers, suggestions }
}

function fitsForm(current: CurrentTask, { actionId, data }: OwnAnswer): boolean {
  const action = current.actions.find(({ id }) => id === actionId)
  if (!action) return false
  return checkActionAnswer(action, ruleAnswer(action, current.data, data), { matches }).length === 0
}
