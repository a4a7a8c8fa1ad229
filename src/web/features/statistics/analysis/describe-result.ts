import type { AnalysisFinding, AnalysisResult, GivenAdvice } from '../../../../contract/feedback-analysis.ts'
import { formatCount, pluralize } from '../../../lib/count.ts'
import { formatList } from '../../../lib/format-list.ts'

type Bar = NonNullable<AnalysisFinding['chart']>['bars'][number]

/** "1,284 tasks were answered by people. 22 answered at the deadline and 9 expired are not counted." */
export function describeCounts({ answered, timedOut, expired }: AnalysisResult['counts']): string {
  const byPeople = `${pluralize(answered, 'task was', 'tasks were')} answered by people.`
  const others = [
    ...(timedOut > 0 ? [`${formatCount(timedOut)} answered at the deadline`] : []),
    ...(expired > 0 ? [`${formatCount(expired)} expired`] : []),
  ]
  if (others.length === 0) return byPeople
  return `${byPeople} ${formatList(others)} ${timedOut + expired === 1 ? 'is' : 'are'} not counted.`
}

export function countWords(text: string): number {
  return text.split(/\s+/).filter(Boolean).length
}

/** The share at the right edge of a chart: the smallest step that all intervals fit into. */
export function chartMax(bars: Pick<Bar, 'high'>[]): number {
  const highest = Math.max(0, ...bars.map(({ high }) => high))
  return [0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.8].find((step) => highest <= step) ?? 1
}

/** "About 12 fewer negative answers per 30 days" */
export function describeGain(gain: number, isUpperLimit = false): string {
  return `${isUpperLimit ? 'At most' : 'About'} ${pluralize(gain, 'fewer negative answer')} per 30 days`
}

/**
 * The label of the button that lists the tasks of a finding: "All 71 tasks", or "100 of 318 tasks"
 * if only the newest are listed or the content of some was deleted. A finding of the kind
 * "unexplained" lists "3 examples", because its answers have nothing in common.
 */
export function tasksLabel({
  kind,
  taskCount,
  taskIds,
}: Pick<AnalysisFinding, 'kind' | 'taskCount' | 'taskIds'>): string {
  if (kind === 'unexplained') return pluralize(taskIds.length, 'example')
  if (taskIds.length < taskCount) return `${formatCount(taskIds.length)} of ${pluralize(taskCount, 'task')}`
  return taskIds.length === 1 ? '1 task' : `All ${formatCount(taskIds.length)} tasks`
}

const resultPhrases: Record<GivenAdvice['result'], (n: number) => string> = {
  worked: (n) => `${n} worked`,
  'less-than-predicted': (n) => `${n} helped less than predicted`,
  'no-effect-seen': (n) => `${n} showed no improvement`,
  'too-few-answers': (n) => `${n} ${n === 1 ? 'has' : 'have'} too few answers since`,
  'not-tried': (n) => `${n} ${n === 1 ? 'was' : 'were'} not tried`,
}

/** "Of 3 pieces of advice, 1 worked, 1 helped less than predicted and 1 was not tried." */
export function summarizeAdvice(advice: Pick<GivenAdvice, 'result'>[]): string {
  const phrases = Object.entries(resultPhrases).flatMap(([result, phrase]) => {
    const n = advice.filter((one) => one.result === result).length
    return n === 0 ? [] : [phrase(n)]
  })
  return `Of ${pluralize(advice.length, 'piece')} of advice, ${formatList(phrases)}.`
}

/**
 * The values at the edges of the chart of earlier advice, in negative answers per 30 days. 0 is
 * always between them.
 */
export function adviceRange(advice: Pick<GivenAdvice, 'predicted' | 'seen'>[]): { min: number; max: number } {
  const values = advice.flatMap(({ predicted, seen }) => [predicted, ...(seen ? [seen.low, seen.high] : [])])
  const [min, max] = [Math.min(0, ...values), Math.max(0, ...values)]
  return min === max ? { min: -1, max } : { min, max }
}

/** How much work double reviews of this share of tasks add: "About 2 more answers per day." */
export function describeExtraAnswers(share: number, answersPer30Days: number): string {
  const perDay = (share * answersPer30Days) / 30
  const [n, unit] = perDay >= 1 ? [Math.round(perDay), 'day'] : [Math.ceil(perDay * 30), '30 days']
  return `About ${pluralize(n, 'more answer')} per ${unit}.`
}
