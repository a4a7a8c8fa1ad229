import { limits } from '../../../contract/limits.ts'
import type { RuleSuggestion } from '../../../contract/rules/rule.ts'
import type { Slices } from '../../lib/event-loop.ts'
import type { StoredAction } from '../../storage/engine/task-tables.ts'
import type { ReproducibleAnswer } from './answer-to-reproduce.ts'
import { chooseCandidateRules, type JudgedRule, judgeCandidateRules } from './choose-candidate-rules.ts'
import { describeRule } from './describe-rule.ts'
import { type CandidateRule, findCandidateRules } from './find-candidate-rules.ts'
import { otherAnswer, type PastAnswerTable } from './past-answer-table.ts'
import { perDay, toDisagreement } from './past-answers.ts'
import { type CodedColumn, codeColumn } from './splits.ts'
import { minCoverage } from './suggestion-limits.ts'

const maxAnswers = 3

export type SuggestionOptions = {
  type: string
  now: Date
  actions: StoredAction[]
  /** Whether the form accepts the answer. */
  fits(answer: ReproducibleAnswer): boolean
}

/**
 * Rules with which people would have agreed. Candidates are chosen on the older two thirds of the
 * answers and judged on the newest third.
 */
export function* findSuggestions(
  table: PastAnswerTable,
  options: SuggestionOptions,
): Slices<RuleSuggestion[]> {
  const { rows } = table
  if (rows.length < limits.ruleSuggestionAnswers) return []
  // Rows are newest first.
  const newestCount = Math.floor(rows.length / 3)
  const columns: CodedColumn[] = []
  for (const column of table.columns) {
    columns.push(codeColumn(column))
    yield
  }
  const found: CandidateRule[] = []
  for (const answer of frequentAnswers(table, newestCount, options))
    found.push(...(yield* findCandidateRules(rows, columns, newestCount, answer)))
  const chosen = yield* chooseCandidateRules(found, newestCount)
  const judged = judgeCandidateRules(chosen, ({ answer }, i) => rows[i]!.answer === answer, newestCount)
  return judged.map((one) => present(one, table, newestCount, options))
}

/**
 * The answers that are frequent enough in the older rows and that the form accepts, most frequent
 * first.
 */
function frequentAnswers(
  { rows, answers }: PastAnswerTable,
  start: number,
  { fits }: SuggestionOptions,
): number[] {
  const counts = new Map<number, number>()
  for (const { answer } of rows.slice(start)) counts.set(answer, (counts.get(answer) ?? 0) + 1)
  counts.delete(otherAnswer)
  return [...counts]
    .filter(([, count]) => count >= minCoverage * (rows.length - start))
    .sort(([, one], [, other]) => other - one)
    .map(([answer]) => answer)
    .filter((answer) => fits(answers[answer]!))
    .slice(0, maxAnswers)
}

function present(
  { answer, when, matches, newCovered, newAgreed, atLeast, candidates }: JudgedRule,
  { rows, answers }: PastAnswerTable,
  newestCount: number,
  { type, now, actions }: SuggestionOptions,
): RuleSuggestion {
  const { actionId, data } = answers[answer]!
  const actionTitle = actions.find(({ id }) => id === actionId)!.title
  const { allowedDisagreementMin, allowedDisagreementMax } = limits
  const disagreeing = rows.filter((one, i) => i < newestCount && matches[i] === 1 && one.answer !== answer)
  return {
    name: describeRule(actionTitle, type, when),
    when,
    answer: { actionId, actionTitle, ...(Object.keys(data).length > 0 && { data }) },
    covered: newCovered,
    considered: newestCount,
    agreed: newAgreed,
    atLeast,
    candidates,
    allowedDisagreement: Math.min(Math.max(1 - atLeast, allowedDisagreementMin), allowedDisagreementMax),
    perDay: perDay(newCovered, rows[newestCount - 1]!.endedAt, now),
    disagreements: disagreeing.map(toDisagreement),
  }
}
