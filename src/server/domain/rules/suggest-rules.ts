import { limits } from '../../../contract/limits.ts'
import type { ListRuleSuggestions, RuleSuggestions } from '../../../contract/rules/rule.ts'
import { completeInTurns } from '../../lib/event-loop.ts'
import { readClock } from '../../storage/engine/read-clock.ts'
import { findCurrentTask } from '../../storage/rules/history.ts'
import { listRulesOf } from '../../storage/rules/rules.ts'
import { type PersonActor, requireRole } from '../actor.ts'
import type { Service } from '../service.ts'
import { actionsDigest } from './actions-digest.ts'
import { answerToReproduce, type ReproducibleAnswer } from './answer-to-reproduce.ts'
import { fittingAnswer } from './check-rule-answer.ts'
import { findSuggestions } from './find-suggestions.ts'
import { createPastAnswerTable } from './past-answer-table.ts'
import { matchesRule, readPastAnswers } from './past-answers.ts'

/** Rules with which people would have agreed, for tasks that no active or paused rule matches. */
export async function suggestRules(
  { database }: Service,
  actor: PersonActor,
  { app = 'default', type }: ListRuleSuggestions,
  signal: AbortSignal,
): Promise<RuleSuggestions> {
  requireRole(actor, 'admin')
  const appAndType = { app, type }
  const needed = limits.ruleSuggestionAnswers
  const { current, existing, now } = await database.inWorkspace(actor.workspaceId, async (tx) => ({
    current: await findCurrentTask(tx, appAndType),
    existing: await listRulesOf(tx, appAndType),
    now: await readClock(tx),
  }))
  if (!current) return { answers: 0, needed, suggestions: [] }

  const digest = actionsDigest(current.actions)
  const rules = existing
    .filter((rule) => rule.actionsDigest === digest)
    .map(({ conditions, versions }) => ({ when: conditions, versions: versions ?? undefined }))
  const growing = createPastAnswerTable()
  for await (const past of readPastAnswers(database, actor.workspaceId, appAndType, signal)) {
    if (past.actionsDigest === digest && !rules.some((rule) => matchesRule(rule, past)))
      growing.add(past, answerToReproduce(past, past.actions))
  }
  const table = await completeInTurns(growing.finish(), signal)
  const fits = ({ actionId, data }: ReproducibleAnswer) => {
    const action = current.actions.find(({ id }) => id === actionId)
    return action !== undefined && fittingAnswer(action, current.contextData, data) !== undefined
  }
  const search = findSuggestions(table, { type, now, actions: current.actions, fits })
  return {
    answers: table.rows.length,
    needed,
    suggestions: await completeInTurns(search, signal),
  }
}
