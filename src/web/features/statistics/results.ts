import type { Statistics } from '../../../contract/statistics.ts'
import { plain } from '../../lib/plain-text.ts'
import { amount, count, duration, interval, percent, pluralize, points } from './numbers.ts'

// One or two summary sentences per chart. They claim a difference only if the service found it
// significant.

type Version = Statistics['versions'][number]
type Details = NonNullable<Statistics['details']>
type Comparison = Details['comparisons'][number]

export function actionsResult({ actions, answers, negative }: Statistics): string {
  const [first] = actions
  if (!first) return 'Nobody answered; all was decided by timeout.'
  const most = `${count(first.count)} of ${pluralize(answers, 'answer')} (${percent(first.count / answers)}) ${first.count === 1 ? 'is' : 'are'} ${quoted(first.title)}.`
  return `${most} ${negative.count === 0 ? 'None is' : `${percent(negative.share)} are`} negative.`
}

export function timesResult({ medianSeconds, p90Seconds }: Statistics): string {
  if (medianSeconds === null || p90Seconds === null) return 'No person answered in this time.'
  return `Half of the answers come within ${duration(medianSeconds)}, nine in ten within ${duration(p90Seconds)}.`
}

export function pairsResult(pairs: Statistics['pairs']): string {
  const assessed = pairs.filter(({ health }) => health !== 'too few')
  const unhealthy = assessed.filter(({ health }) => health === 'not healthy')
  if (assessed.length === 0) return 'Too few answers to tell.'
  if (unhealthy.length === 0)
    return assessed.length === 1
      ? 'It is healthy.'
      : `All ${assessed.length} with enough answers are healthy.`
  const names = unhealthy.slice(0, 3).map(({ app, type }) => `${plain(app)} ${plain(type)}`)
  const more = unhealthy.length > 3 ? ` and ${unhealthy.length - 3} more` : ''
  return `${unhealthy.length} of ${assessed.length} ${unhealthy.length === 1 ? 'is' : 'are'} not healthy: ${names.join(', ')}${more}.`
}

export function versionsResult(versions: Version[]): string {
  const assessed = versions.filter(({ verdict }) => verdict === 'worse' || verdict === 'better')
  const reported =
    assessed.find(({ isNewest }) => isNewest) ??
    assessed.find(({ verdict }) => verdict === 'worse') ??
    assessed[0]
  if (reported) {
    const rest = versions.filter((version) => version !== reported)
    const others = rest.reduce((sum, { count }) => sum + count, 0) / rest.reduce((sum, { n }) => sum + n, 0)
    const more = reported.verdict === 'worse' ? 'more' : 'fewer'
    return `Version ${plain(reported.version)} gets ${more} negative answers than the others: ${percent(reported.share)} against ${percent(others)}, a difference beyond chance.`
  }
  if (versions.length === 1)
    return `Only version ${plain(versions[0]!.version)} was answered, so there is nothing to compare.`
  return versions.every(({ verdict }) => verdict === 'too few')
    ? 'Too few answers to tell.'
    : noDifference(versions)
}

/**
 * "No difference" depends on the power of the test, so the sentence states the detectable
 * difference.
 */
function noDifference(versions: Version[]): string {
  const [largest] = versions.flatMap(({ detectable }) => detectable ?? []).sort((a, b) => b - a)
  const seen =
    largest === undefined ? '' : ` A difference of ${points(largest)} would probably have been detected.`
  return `No difference between versions was found.${seen}`
}

export function questionResult({ answers, choices, numbers }: Details['questions'][number]): string {
  const [first, second] = [...(choices ?? [])].sort((a, b) => b.count - a.count)
  if (first && first.count === second?.count)
    return `No choice is ahead: the first have ${count(first.count)} of ${count(answers)} each.`
  if (first) return `${quoted(first.label)} is chosen most often: ${count(first.count)} of ${count(answers)}.`
  if (!numbers) return `${pluralize(answers, 'answer')}.`
  return `Half of ${pluralize(answers, 'answer')} are ${amount(numbers.median)} or less, from ${amount(numbers.lowest)} to ${amount(numbers.highest)}.`
}

export function comparisonResult({ candidates, decided, ties }: Comparison): string {
  const best = [...candidates].sort((a, b) => b.share - a.share)[0]
  if (!best || decided === 0) return 'Nobody has decided yet.'
  const winRate = `${plain(best.name)} wins ${percent(best.share)} of ${pluralize(best.n, 'decision')} (${interval(best.low, best.high)})`
  const assessed = best.wins
    ? `, more than the ${percent(best.expected)} of chance.`
    : `; chance alone gives ${percent(best.expected)}, so this tells nothing yet.`
  return `${winRate}${assessed}${ties > 0 ? ` ${pluralize(ties, 'tie')} not counted.` : ''}`
}

export function positionResult(position: Comparison['position']): string {
  if (!position.known) {
    return position.why === 'too few'
      ? 'Position bias: too few decisions to tell.'
      : 'Position bias: not known, the order never changed.'
  }
  const wins = `the first place wins ${count(position.firstWins)} of ${count(position.n)}, ${count(Math.round(position.expected))} would be its due`
  return position.isBiased
    ? `Position bias: ${wins}. The order decides, too.`
    : `No position bias found: ${wins}.`
}

export function reasonsResult({ reasons: [first], reasonsAreTested }: Details): string {
  if (!first) return 'No words mark the negative answers.'
  const most = `${first.terms.slice(0, 3).map(quoted).join(', ')} ${first.terms.length > 1 ? 'stand' : 'stands'} in ${count(first.negative)} of ${pluralize(first.negativeTexts, 'negative text')}`
  return reasonsAreTested
    ? `${most} and in ${count(first.others)} of ${pluralize(first.otherTexts, 'other')}, a difference beyond chance.`
    : `${most}. Counted, not tested: too little is written on other answers to compare with.`
}

function quoted(text: string): string {
  return `“${plain(text)}”`
}
