import { limits } from '../../../contract/limits.ts'
import type { RuleSuggestion } from '../../../contract/rules/rule.ts'
import type { Slices } from '../../lib/event-loop.ts'
import type { StoredAction } from '../../storage/engine/task-tables.ts'
import type { ReproducibleAnswer } from './answer-to-reproduce.ts'
import { type CaseTable, otherAnswer } from './case-table.ts'
import { chooseCandidates, type Judged, judgeCandidates } from './choose-candidates.ts'
import { describeRule } from './describe-rule.ts'
import { type Candidate, findCandidates } from './find-candidates.ts'
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
 * Rules that people would have agreed with: chosen on the older two thirds of the answers, judged
 * on the newest third.
 */
export function* findSuggestions(table: CaseTable, options: SuggestionOptions): Slices<RuleSuggestion[]> {
  const { cases } = table
  if (cases.length < limits.ruleSuggestionAnswers) return []
  // Cases are newest first.
  const newestCount = Math.floor(cases.length / 3)
  const columns: CodedColumn[] = []
  for (const column of table.columns) {
    columns.push(codeColumn(column))
    yield
  }
  const found: Candidate[] = []
  for (const answer of frequentAnswers(table, newestCount, options))
    found.push(...(yield* findCandidates(cases, columns, newestCount, answer)))
  const chosen = yield* chooseCandidates(found, newestCount)
  const judged = judgeCandidates(chosen, ({ answer }, i) => cases[i]!.answer === answer, newestCount)
  return judged.map((one) => present(one, table, newestCount, options))
}

/** The answers that are frequent enough in the older cases and that the form accepts, most frequent first. */
function frequentAnswers(
  { cases, answers }: CaseTable,
  start: number,
  { fits }: SuggestionOptions,
): number[] {
  const counts = new Map<number, number>()
  for (const { answer } of cases.slice(start)) counts.set(answer, (counts.get(answer) ?? 0) + 1)
  counts.delete(otherAnswer)
  return [...counts]
    .filter(([, count]) => count >= minCoverage * (cases.length - start))
    .sort(([, one], [, other]) => other - one)
    .map(([answer]) => answer)
    .filter((answer) => fits(answers[answer]!))
    .slice(0, maxAnswers)
}

function present(
  { answer, when, matches, newCovered, newAgreed, atLeast, candidates }: Judged,
  { cases, answers }: CaseTable,
  newestCount: number,
  { type, now, actions }: SuggestionOptions,
): RuleSuggestion {
  const { actionId, data } = answers[answer]!
  const actionTitle = actions.find(({ id }) => id === actionId)!.title
  const { allowedDisagreementMin, allowedDisagreementMax } = limits
  const disagreeing = cases.filter((one, i) => i < newestCount && matches[i] === 1 && one.answer !== answer)
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
    perDay: perDay(newCovered, cases[newestCount - 1]!.endedAt, now),
    disagreements: disagreeing.map(toDisagreement),
  }
}
