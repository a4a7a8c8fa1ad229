import { limits } from '../../../contract/limits.ts'
import type { Statistics } from '../../../contract/statistics.ts'
import { formatCount, pluralize } from '../../lib/count.ts'
import { escapeBidi } from '../../lib/escape-bidi.ts'
import {
  formatInterval,
  formatNumber,
  formatPercent,
  formatPoints,
  formatSeconds,
} from '../../lib/numbers.ts'

// A few summary sentences per chart. They call a difference significant only if the service found
// that it is.

type Version = Statistics['versions'][number]
type Details = NonNullable<Statistics['details']>
type Comparison = Details['comparisons'][number]

export function summarizeActions({ actions, answers, negative, timeouts, rules }: Statistics): string {
  const [first] = actions
  if (!first) {
    const how = [...(timeouts > 0 ? ['at the deadline'] : []), ...(rules > 0 ? ['by rules'] : [])]
    return `All answers were automatic: ${how.join(' or ')}.`
  }
  const topSentence = `${formatCount(first.count)} of ${pluralize(answers, 'answer')} (${formatPercent(first.count / answers)}) ${first.count === 1 ? 'is' : 'are'} ${quoted(first.title)}.`
  return `${topSentence} ${negative.count === 0 ? 'None is' : `${formatPercent(negative.share)} are`} negative.`
}

export function summarizeTimes({ medianSeconds, p90Seconds }: Statistics): string {
  if (medianSeconds === null || p90Seconds === null) return 'Nobody answered in this period.'
  return `Half of the answers arrive within ${formatSeconds(medianSeconds)}, nine in ten within ${formatSeconds(p90Seconds)}.`
}

export function summarizeAppsAndTypes(pairs: Statistics['pairs']): string {
  const assessed = pairs.filter(({ health }) => health !== 'too-few')
  const unhealthy = assessed.filter(({ health }) => health === 'not-healthy')
  if (assessed.length === 0)
    return `Too few answers to draw a conclusion: ${limits.answersToJudge} are needed, counting only the current version.`
  if (unhealthy.length === 0)
    return assessed.length === 1
      ? 'The only app and type with enough answers is healthy.'
      : `All ${assessed.length} apps and types with enough answers are healthy.`
  const names = unhealthy.slice(0, 3).map(({ app, type }) => `${escapeBidi(app)} / ${escapeBidi(type)}`)
  const more = unhealthy.length > 3 ? ` and ${unhealthy.length - 3} more` : ''
  return `Of ${pluralize(assessed.length, 'app and type', 'apps and types')} with enough answers, ${unhealthy.length} ${unhealthy.length === 1 ? 'is' : 'are'} not healthy: ${names.join(', ')}${more}.`
}

export function summarizeVersions(versions: Version[]): string {
  const different = versions.filter(({ verdict }) => verdict === 'worse' || verdict === 'better')
  const reported =
    different.find(({ isNewest }) => isNewest) ??
    different.find(({ verdict }) => verdict === 'worse') ??
    different[0]
  if (reported) {
    const rest = versions.filter((version) => version !== reported)
    const others = rest.reduce((sum, { count }) => sum + count, 0) / rest.reduce((sum, { n }) => sum + n, 0)
    const more = reported.verdict === 'worse' ? 'more' : 'fewer'
    return `Version ${escapeBidi(reported.version)} gets ${more} negative answers than the others: ${formatPercent(reported.share)} against ${formatPercent(others)}, which is statistically significant. Run a feedback analysis to see whether the version is the cause.`
  }
  if (versions.length === 1)
    return `Version ${escapeBidi(versions[0]!.version)} is the only one with these filters, so there is nothing to compare.`
  return versions.every(({ verdict }) => verdict === 'too-few')
    ? `Too few answers to draw a conclusion: ${limits.answersToCompare} of a version and as many of the others are needed.`
    : noDifference(versions)
}

type Agreed = NonNullable<Details['agreement']>['action']

export function summarizeAgreement({ count, n, share, alpha }: Agreed): string {
  const agreed =
    n === 1
      ? `In the only task that several people answered, the first two answers chose ${count === 1 ? 'the same action' : 'different actions'}.`
      : `In ${formatCount(count)} of ${formatCount(n)} tasks that several people answered (${formatPercent(share)}), the first two answers chose the same action.`
  return alpha === null
    ? `${agreed} These answers are all the same, so nothing can be said about chance.`
    : `${agreed} Krippendorff's alpha is ${alpha.toFixed(2)}; 1 is full agreement, 0 is chance.`
}

export function summarizeInTime({ tasks, hasMore }: NonNullable<Statistics['inTime']>): string {
  const { count, n, share, late, expired } = tasks
  // The filter by person leaves out tasks that somebody else handled, but not the answers to them.
  if (n === 0)
    return 'No task with a target time matches these filters, only answers to tasks that needed several.'
  if (n === 1) {
    const result =
      expired > 0
        ? 'passed its deadline without a decision by people'
        : `was answered ${late > 0 ? 'late' : 'in time'}`
    return `The only ${hasMore ? 'recent ' : ''}task with a target time ${result}.`
  }
  const all = `${hasMore ? 'the newest ' : ''}${formatCount(n)} tasks`
  const inTime = `${formatCount(count)} of ${all} with a target time (${formatPercent(share)}) ${count === 1 ? 'was' : 'were'} answered in time.`
  const wereLate = late === 0 ? 'None was' : `${formatCount(late)} ${late === 1 ? 'was' : 'were'}`
  const missed = `${expired === 0 ? 'none' : formatCount(expired)} passed ${expired > 1 ? 'their deadlines' : 'its deadline'}`
  return `${inTime} ${wereLate} answered late, and ${missed} without a decision by people.`
}

export function summarizeEdits({ unchanged, light, heavy }: NonNullable<Statistics['edits']>): string {
  const total = unchanged + light + heavy
  const answers = total === 1 ? 'the one answer' : `${formatCount(total)} answers`
  return `Of ${answers} with prefilled fields, ${formatPercent(unchanged / total)} left them unchanged, ${formatPercent(light / total)} changed less than a fifth of their words, and ${formatPercent(heavy / total)} changed more.`
}

/**
 * How much "no difference" says depends on the power of the test, so the text also names the
 * difference that would have been detected.
 */
function noDifference(versions: Version[]): string {
  const [largest] = versions.flatMap(({ detectable }) => detectable ?? []).sort((a, b) => b - a)
  const detectableNote =
    largest === undefined
      ? ''
      : ` A difference of ${formatPoints(largest)} would probably have been detected.`
  return `No difference between versions was found.${detectableNote}`
}

export function summarizeFormQuestion({ answers, choices, numbers }: Details['questions'][number]): string {
  const [first, second] = [...(choices ?? [])].sort((a, b) => b.count - a.count)
  if (first && first.count === second?.count)
    return `No option leads: the top ones have ${formatCount(first.count)} of ${formatCount(answers)} each.`
  if (first)
    return `${quoted(first.label)} was chosen most often: ${formatCount(first.count)} of ${formatCount(answers)}.`
  if (!numbers) return `${pluralize(answers, 'answer')}.`
  return `The median of ${pluralize(answers, 'answer')} is ${formatNumber(numbers.median)}, the lowest ${formatNumber(numbers.lowest)} and the highest ${formatNumber(numbers.highest)}.`
}

/** With fewer decisions, a win rate is unreliable. */
export const minDecisions = 10

/**
 * Describes one candidate: the best of those that win significantly often. If there are none, the
 * best of those with enough decisions. If there are none of these either, the best of all.
 */
export function summarizeComparison({ candidates, decided, ties }: Comparison): string {
  // The service lists the highest share first.
  const best =
    candidates.find(({ wins }) => wins) ?? candidates.find(({ n }) => n >= minDecisions) ?? candidates[0]
  if (!best || decided === 0) return `No candidate was preferred: ${pluralize(ties, 'tie')}.`
  const winRate = `${escapeBidi(best.name)} wins ${formatPercent(best.share)} of ${pluralize(best.n, 'decision')} (${formatInterval(best.low, best.high)})`
  const conclusion = best.wins
    ? `, more than the ${formatPercent(best.expected)} expected by chance.`
    : `. By chance it would be ${formatPercent(best.expected)}. The difference isn't conclusive yet.`
  return `${winRate}${conclusion}${ties > 0 ? ` ${pluralize(ties, 'tie')} excluded.` : ''}`
}

const unknownPosition = {
  'too-few': 'too few decisions to draw a conclusion',
  'order-never-changed': 'unknown, because the order hardly changed',
  'order-not-random': "unknown, because the order wasn't random",
}

export function summarizePositionBias(position: Comparison['position']): string {
  if (!position.known) {
    return `Position bias: ${unknownPosition[position.why]}.`
  }
  const wins = `the first position won ${formatCount(position.firstWins)} of ${formatCount(position.n)}, expected ${formatCount(Math.round(position.expected))}`
  return position.isBiased
    ? `Position bias: ${wins}. The order affects the result.`
    : `No position bias found: ${wins}.`
}

export function summarizeReasons({ reasons: [first], reasonsAreTested }: Details): string {
  if (!first) return 'No words are typical of negative answers.'
  const topSentence = `${first.terms.slice(0, 3).map(quoted).join(', ')} ${first.terms.length > 1 ? 'appear' : 'appears'} in ${formatCount(first.negative)} of ${pluralize(first.negativeTexts, 'negative text')}`
  return reasonsAreTested
    ? `${topSentence} and in ${formatCount(first.others)} of ${pluralize(first.otherTexts, 'other')}, which is statistically significant.`
    : `${topSentence}. Not tested for significance: negative or other answers have too little text to compare.`
}

function quoted(text: string): string {
  return `“${escapeBidi(text)}”`
}
