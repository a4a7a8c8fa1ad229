import type { Statistics } from '../../../contract/statistics.ts'
import { plain } from '../../lib/plain-text.ts'
import { amount, count, counted, duration, interval, percent, points } from './numbers.ts'

// What each chart says, as one sentence or two. Numbers first; a difference is claimed only where the service found it.

type Version = Statistics['versions'][number]
type Details = NonNullable<Statistics['details']>
type Comparison = Details['comparisons'][number]

export function actionsResult({ actions, answers, negative }: Statistics): string {
  const [first] = actions
  if (!first) return 'Nobody answered; all was decided by timeout.'
  const most = `${count(first.count)} of ${counted(answers, 'answer')} (${percent(first.count / answers)}) ${first.count === 1 ? 'is' : 'are'} ${quoted(first.title)}.`
  return `${most} ${negative.count === 0 ? 'None is' : `${percent(negative.share)} are`} negative.`
}

export function timesResult({ medianSeconds, p90Seconds }: Statistics): string {
  if (medianSeconds === null || p90Seconds === null) return 'No person answered in this time.'
  return `Half of the answers come within ${duration(medianSeconds)}, nine in ten within ${duration(p90Seconds)}.`
}

export function pairsResult(pairs: Statistics['pairs']): string {
  const judged = pairs.filter(({ health }) => health !== 'too few')
  const ill = judged.filter(({ health }) => health === 'not healthy')
  if (judged.length === 0) return 'Too few answers to tell.'
  if (ill.length === 0)
    return judged.length === 1 ? 'It is healthy.' : `All ${judged.length} with enough answers are healthy.`
  const names = ill.slice(0, 3).map(({ app, type }) => `${plain(app)} ${plain(type)}`)
  const more = ill.length > 3 ? ` and ${ill.length - 3} more` : ''
  return `${ill.length} of ${judged.length} ${ill.length === 1 ? 'is' : 'are'} not healthy: ${names.join(', ')}${more}.`
}

export function versionsResult(versions: Version[]): string {
  const judged = versions.filter(({ verdict }) => verdict === 'worse' || verdict === 'better')
  const told =
    judged.find(({ isNewest }) => isNewest) ?? judged.find(({ verdict }) => verdict === 'worse') ?? judged[0]
  if (told) {
    const rest = versions.filter((version) => version !== told)
    const others = rest.reduce((sum, { count }) => sum + count, 0) / rest.reduce((sum, { n }) => sum + n, 0)
    const more = told.verdict === 'worse' ? 'more' : 'fewer'
    return `Version ${plain(told.version)} gets ${more} negative answers than the others: ${percent(told.share)} against ${percent(others)}, a difference beyond chance.`
  }
  if (versions.length === 1)
    return `Only version ${plain(versions[0]!.version)} was answered, so there is nothing to compare.`
  return versions.every(({ verdict }) => verdict === 'too few')
    ? 'Too few answers to tell.'
    : noneDiffers(versions)
}

/** The sentence is worth what the test could see, so it says that. */
function noneDiffers(versions: Version[]): string {
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
  if (!numbers) return `${counted(answers, 'answer')}.`
  return `Half of ${counted(answers, 'answer')} are ${amount(numbers.median)} or less, from ${amount(numbers.lowest)} to ${amount(numbers.highest)}.`
}

export function comparisonResult({ candidates, decided, ties }: Comparison): string {
  const best = [...candidates].sort((a, b) => b.share - a.share)[0]
  if (!best || decided === 0) return 'Nobody has decided yet.'
  const won = `${plain(best.name)} wins ${percent(best.share)} of ${counted(best.n, 'decision')} (${interval(best.low, best.high)})`
  const judged = best.wins
    ? `, more than the ${percent(best.expected)} of chance.`
    : `; chance alone gives ${percent(best.expected)}, so this tells nothing yet.`
  return `${won}${judged}${ties > 0 ? ` ${counted(ties, 'tie')} not counted.` : ''}`
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
  const most = `${first.terms.slice(0, 3).map(quoted).join(', ')} ${first.terms.length > 1 ? 'stand' : 'stands'} in ${count(first.negative)} of ${counted(first.negativeTexts, 'negative text')}`
  return reasonsAreTested
    ? `${most} and in ${count(first.others)} of ${counted(first.otherTexts, 'other')}, a difference beyond chance.`
    : `${most}. Counted, not tested: too little is written on other answers to compare with.`
}

function quoted(text: string): string {
  return `“${plain(text)}”`
}
