import { limits } from '../../../contract/limits.ts'
import type { AnalysisInput } from './analyst.ts'
import { losingOwnCandidates, type PositionBias } from './comparisons.ts'
import { describeVersion } from './describe-version.ts'
import type { Finding } from './finding.ts'
import {
  count,
  date,
  duration,
  formatPValue,
  interval,
  number,
  ofHowMany,
  percent,
  plural,
  withInterval,
} from './format.ts'
import { shareOf } from './proportions.ts'
import type { Naming } from './references.ts'

const shownActions = 5
const shownVersions = 4
const shownChoices = 4
const shownFormFields = 3
// With fewer answers to a version, the count is shown instead of a percentage and its interval.
const minAnswersForShare = 10

/** What was counted, in a few sentences. `explainsP`: they also say what a p-value is. */
export function formatCounts(
  { app, type, periodStart, periodEnd, figures }: AnalysisInput,
  name: Naming,
  explainsP: boolean,
): string {
  const { answers, timeouts, expired, repeats, negative, positive } = figures
  const head = `**${plural(answers, 'answer')}** by people to ${name(type)} of ${name(app)}, ${date(periodStart)} to ${date(periodEnd)}.`
  const outcomes =
    answers === 0
      ? 'There is nothing to analyze yet.'
      : `**Negative: ${count(negative.count)}, ${withInterval(negative)}.** Positive: ${count(positive.count)}. Neutral: ${count(answers - negative.count - positive.count)}.`
  const uncounted =
    timeouts + expired > 0
      ? ` Of ${plural(answers + timeouts + expired, 'task')}: ${count(answers)} answered by people, ${count(timeouts)} decided by timeout, ${count(expired)} expired. These figures include only answers by people.`
      : ''
  const repeated =
    repeats > 0
      ? ` ${plural(repeats, 'answer')} ${repeats === 1 ? 'repeats' : 'repeat'} one that was given to several tasks at once. Such a bulk answer counts once in the verdict and in every test.`
      : ''
  const explained =
    answers === 0
      ? ''
      : ` Ranges in parentheses are 95 % intervals (Wilson, unless called exact)${explainsP ? '; p is the probability of such a difference by chance' : ''}.`
  return `${head} ${outcomes}${uncounted}${repeated}${explained}`
}

/**
 * The figures as Markdown tables and sentences. Leaves out the sentences about the trend and the
 * version that runs now if one of `findings`, which precede the tables, already contains them.
 */
export function formatTables({ figures }: AnalysisInput, name: Naming, findings: Finding[] = []): string {
  const isFound = (kind: Finding['kind']) => findings.some((finding) => finding.kind === kind)
  const { actions } = figures
  return [
    ...(actions.length > 0
      ? [
          table(
            ['answer', 'times', 'share', 'counts as'],
            actions
              .slice(0, shownActions)
              .map((one) => [name(one.title), count(one.count), percent(one.share), one.outcome]),
          ),
        ]
      : []),
    ...trendAndTime(figures, isFound('trend')),
    ...versionTable(figures, name, isFound('version') || isFound('trend')),
    ...comparisonTables(figures, name),
    ...formFieldLines(figures, name),
  ].join('\n\n')
}

/** The verdict in one or two sentences. */
export function formatVerdict(
  { health, figures }: Pick<AnalysisInput, 'health' | 'figures'>,
  name: Naming,
): string {
  const { isHealthy, tooFew, tooNegative, currentIsWorse, ownCandidateLoses } = health
  const { current, comparisons } = figures
  const newest = current?.newestAnswers ?? shareOf(0, 0)
  const isOnly = current === undefined || current.verdict === 'only-version'
  const ofVersion = isOnly ? '' : ' to the version that runs now'
  if (tooFew)
    return `Too few to judge: ${plural(newest.n, 'answer')}${ofVersion}, ${limits.answersToJudge} are required. There is no verdict yet.`
  const isPart = newest.n < (current?.all.n ?? 0)
  const share = `${percent(newest.share)} of the ${isPart ? 'newest ' : ''}${plural(newest.n, 'answer')}${ofVersion} are negative (exact 95 % interval ${interval(newest)}, limit ${limit})`
  if (isHealthy) {
    return newest.high <= limits.healthyNegativeShare
      ? `Healthy: ${share}. No change is needed.`
      : `Healthy so far: ${share}. The interval includes the limit, so no change is recommended yet.`
  }
  const comparable = current?.verdict === 'worse-hidden' ? ' for comparable tasks' : ''
  const why = [
    ...(tooNegative ? [share] : []),
    ...(currentIsWorse
      ? [`the version that runs now gets more negative answers than the others${comparable}`]
      : []),
    ...(ownCandidateLoses
      ? losingOwnCandidates(comparisons).map(
          ({ field, own }) =>
            `your candidate ${name(own.name)} in ${name(field)} wins less often than by chance (${ofHowMany(own)}, ${formatPValue(own.pValue)})`,
        )
      : []),
  ]
  const rest = tooNegative ? '' : ` ${share}.`
  return `Not healthy: ${why.join(', and ')}.${rest}`
}

const limit = percent(limits.healthyNegativeShare)

function trendAndTime({ trend, timeToAnswer }: AnalysisInput['figures'], hasTrendFinding: boolean): string[] {
  const lines: string[] = []
  if (trend && !hasTrendFinding)
    lines.push(
      `Negative answers ${trend.direction === 'rises' ? 'rise' : 'fall'}: ${ofHowMany(trend.before)} in the older half of the days, ${ofHowMany(trend.after)} in the newer (${formatPValue(trend.pValue)}).`,
    )
  if (timeToAnswer)
    lines.push(
      `Half of the answers came within ${duration(timeToAnswer.median)}, 90 % within ${duration(timeToAnswer.p90)}.`,
    )
  return lines.length === 0 ? [] : [lines.join(' ')]
}

function versionTable(
  { versions, unversioned, current }: AnalysisInput['figures'],
  name: Naming,
  hasFinding: boolean,
): string[] {
  if (versions.length === 0) return []
  const rows = versions
    .slice(0, shownVersions)
    .map((one) => [
      name(one.version) + (one.version === current?.version ? ' (runs now)' : ''),
      count(one.n),
      one.n < minAnswersForShare ? `${one.count} of ${one.n}` : withInterval(one),
    ])
  const more =
    versions.length > shownVersions
      ? `${plural(versions.length - shownVersions, 'older version')} not shown.`
      : ''
  const without = unversioned.n > 0 ? `${plural(unversioned.n, 'answer')} without a version.` : ''
  const about = current && !hasFinding ? describeVersion(current, name) : ''
  const notes = [more, without, about].filter(Boolean).join(' ')
  return [table(['version', 'answers', 'negative'], rows), ...(notes ? [notes] : [])]
}

function comparisonTables({ comparisons }: AnalysisInput['figures'], name: Naming): string[] {
  return comparisons.flatMap(({ field, decided, ties, candidates, position }) => [
    `Comparison ${name(field)}: ${count(decided)} decided, ${plural(ties, 'tie')}. ${describePosition(position)}`,
    table(
      ['candidate', 'wins', 'win rate', 'by chance'],
      candidates.map((one) => [
        name(one.name),
        `${count(one.count)} of ${count(one.n)}`,
        withInterval(one),
        percent(one.expected),
      ]),
    ),
  ])
}

const unknownPosition = {
  'too-few': 'Too few decisions with a known order to say whether the order decides.',
  'order-not-random':
    'The order was not random, so position and candidate cannot be told apart. With `blind` the order is random.',
  'order-never-changed': 'The order hardly changed, so position and candidate cannot be told apart.',
}

function describePosition(position: PositionBias): string {
  if (!position.known) return unknownPosition[position.why]
  const { firstWins, n, expected, isBiased, pValue } = position
  const verdict = isBiased ? `the order decides (${formatPValue(pValue)})` : 'no sign that the order decides'
  return `The first position won ${count(firstWins)} of ${count(n)} decisions (about ${count(Math.round(expected))} expected if the order had no influence): ${verdict}.`
}

function formFieldLines({ formFields, comparisons }: AnalysisInput['figures'], name: Naming): string[] {
  const lines = formFields
    // The comparison tables already show who won.
    .filter(({ field }) => !comparisons.some(({ property }) => property === field))
    .slice(0, shownFormFields)
    .map(({ title, actionTitle, answers, choices, numbers }) => {
      const head = `- ${name(title)} (${name(actionTitle)}, ${plural(answers, 'answer')}): `
      if (numbers)
        return `${head}median ${number(numbers.median)}, mean ${number(numbers.mean)}, from ${number(numbers.lowest)} to ${number(numbers.highest)}`
      return (
        head +
        choices!
          .slice(0, shownChoices)
          .map((one) => `${name(one.label)} ${count(one.count)} (${percent(one.count / answers)})`)
          .join(', ')
      )
    })
  return lines.length === 0 ? [] : [lines.join('\n')]
}

function table(head: string[], rows: string[][]): string {
  return [head, head.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |`).join('\n')
}
