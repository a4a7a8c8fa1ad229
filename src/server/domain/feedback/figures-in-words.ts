import type { Analysed } from './analyst.ts'
import { noDifference } from './findings.ts'
import { fewestAnswers, mostNegative } from './health.ts'
import {
  chance,
  count,
  date,
  duration,
  number,
  ofHowMany,
  percent,
  plural,
  withInterval,
} from './in-words.ts'
import type { Naming } from './references.ts'

const shownActions = 8
const shownVersions = 6
const shownChoices = 5
const shownQuestions = 6

/** The figures as markdown, from counts alone: they stand above every analyst's text. */
export function figuresInWords(
  { app, type, periodStart, periodEnd, figures, health }: Analysed,
  name: Naming,
): string {
  const { answers, timeouts, actions, negative, positive } = figures
  const parts = [
    `**${plural(answers, 'answer')}** by people to ${name(type)} of ${name(app)}, ${date(periodStart)} to ${date(periodEnd)}. ${
      answers === 0
        ? 'There is nothing to analyse yet.'
        : `**Negative: ${count(negative.count)}, ${withInterval(negative)}.** Positive: ${count(positive.count)}. Neutral: ${count(answers - negative.count - positive.count)}.`
    }`,
    verdict(health, figures),
  ]
  if (timeouts > 0)
    parts.push(
      `${plural(timeouts, 'more task')} ended by timeout. They are no feedback and in no figure here.`,
    )
  if (actions.length > 0) {
    parts.push(
      table(
        ['answer', 'times', 'share', 'counts as'],
        actions
          .slice(0, shownActions)
          .map((one) => [name(one.title), count(one.count), percent(one.share), one.outcome]),
      ),
    )
  }
  parts.push(
    ...trendAndTime(figures),
    ...versionTable(figures, name),
    ...comparisonTables(figures, name),
    ...questionLines(figures, name),
  )
  return parts.join('\n\n')
}

function verdict(
  { isHealthy, tooFew, tooNegative, newestIsWorse }: Analysed['health'],
  { answers, negative }: Analysed['figures'],
): string {
  if (tooFew)
    return `Too few to judge: ${answers} of the ${fewestAnswers} answers it takes. Nothing is claimed.`
  if (isHealthy) return `Healthy: ${whyHealthy(negative)}. No change is called for.`
  const why = [
    tooNegative && 'the negative share is above 10 % even at its lower bound',
    newestIsWorse && 'the newest version is worse than the others',
  ].filter(Boolean)
  return `**Not healthy**: ${why.join(', and ')}.`
}

/** The rule looks at the lower bound, so a healthy share may well lie above the limit: then that is said. */
export function whyHealthy({ low, high }: Analysed['figures']['negative']): string {
  const limit = percent(mostNegative)
  return high <= mostNegative
    ? `the negative share is below ${limit}`
    : `it is not certain that the negative share is above ${limit} (the interval begins at ${percent(low)})`
}

function trendAndTime({ trend, timeToAnswer }: Analysed['figures']): string[] {
  const lines: string[] = []
  if (trend)
    lines.push(
      `Negative answers ${trend.direction === 'rises' ? 'rise' : 'fall'}: ${ofHowMany(trend.before)} in the older half of the days, ${ofHowMany(trend.after)} in the newer (${chance(trend.chance)}).`,
    )
  if (timeToAnswer)
    lines.push(
      `Half of the answers came within ${duration(timeToAnswer.median)}, 90 % within ${duration(timeToAnswer.p90)}.`,
    )
  return lines.length === 0 ? [] : [lines.join(' ')]
}

function versionTable({ versions, unversioned }: Analysed['figures'], name: Naming): string[] {
  if (versions.length === 0) return []
  const rows = versions
    .slice(0, shownVersions)
    .map((one) => [
      name(one.version) + (one.isNewest ? ' (newest)' : ''),
      count(one.n),
      one.verdict === 'too few' && one.n < 10 ? `${one.count} of ${one.n}` : withInterval(one),
      versions.length === 1 ? 'the only one' : against(one),
    ])
  const more =
    versions.length > shownVersions
      ? `${plural(versions.length - shownVersions, 'older version')} not shown.`
      : ''
  const without =
    unversioned.n > 0
      ? `${plural(unversioned.n, 'answer')} without a version took no part in the comparison.`
      : ''
  const notes = [more, without].filter(Boolean).join(' ')
  return [table(['version', 'answers', 'negative', 'against the others'], rows), ...(notes ? [notes] : [])]
}

function against(one: Analysed['figures']['versions'][number]): string {
  if (one.verdict === 'too few') return one.verdict
  if (one.verdict === 'no difference') return `no difference found (${noDifference(one)})`
  return `${one.verdict} (${chance(one.chance!)})`
}

function comparisonTables({ comparisons }: Analysed['figures'], name: Naming): string[] {
  return comparisons.flatMap(({ field, decided, ties, candidates, position }) => [
    `Comparison ${name(field)}: ${count(decided)} decided, ${plural(ties, 'tie')}. ${
      position.known
        ? `The first place won ${count(position.firstWins)} of ${count(position.n)}, by merit ${count(Math.round(position.expected))}: ${position.isBiased ? `the order decides (${chance(position.chance)})` : 'no sign that the order decides'}.`
        : position.why === 'too few'
          ? 'Too few with a known order to say whether it decides.'
          : 'The order never changed, so position and candidate cannot be told apart.'
    }`,
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

function questionLines({ questions, comparisons }: Analysed['figures'], name: Naming): string[] {
  const lines = questions
    // Who won is said above.
    .filter(({ field }) => !comparisons.some(({ property }) => property === field))
    .slice(0, shownQuestions)
    .map(({ title, actionTitle, answers, choices, numbers }) => {
      const asked = `- ${name(title)} (${name(actionTitle)}, ${plural(answers, 'answer')}): `
      if (numbers)
        return `${asked}median ${number(numbers.median)}, mean ${number(numbers.mean)}, from ${number(numbers.lowest)} to ${number(numbers.highest)}`
      return (
        asked +
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
