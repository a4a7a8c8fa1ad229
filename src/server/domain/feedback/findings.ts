import type { Analysed } from './analyst.ts'
import type { VersionFigures } from './figures.ts'
import { mostNegative } from './health.ts'
import { chance, count, date, ofHowMany, percent, plural, points, withInterval } from './in-words.ts'
import { shareOf } from './proportions.ts'
import type { Naming } from './references.ts'
import type { Quote, Theme, Themes } from './themes.ts'

/** One thing that the figures show, and what to do about it. */
export type Finding = {
  /** Stands before the numbers, a few words. */
  title: string
  evidence: string
  advice: string
  /** Human text goes with it, never into it. */
  themes?: Theme[]
  quotes?: Quote[]
}

const manyTimeouts = 0.2
const dominant = 0.3
const fewestReasons = 10

/** What to change, the surest and largest first. */
export function whatToChange({ figures, health }: Analysed, name: Naming): Finding[] {
  const { versions, themes, questions, actions, comparisons, trend, timeouts, answers } = figures
  const findings: Finding[] = []
  for (const version of versions.filter(({ verdict }) => verdict === 'worse'))
    findings.push(worse(version, versions, name))
  if (!health.tooFew && themes.themes.length > 0) findings.push(...recurring(themes, health.tooNegative))
  const isNegative = (id: string) =>
    actions.some(({ actionId, outcome }) => actionId === id && outcome === 'negative')
  for (const { actionId, actionTitle, title, answers: n, choices } of questions) {
    const [top, next] = choices ?? []
    if (!top || n < fewestReasons || top.count / n < dominant || !isNegative(actionId)) continue
    if (!leads(top.count, next?.count ?? 0)) continue
    findings.push({
      title: `${name(actionTitle)} has one main reason: ${name(top.label)}`,
      evidence: `${count(top.count)} of ${count(n)} answers to ${name(title)} (${percent(top.count / n)}).`,
      advice: 'Check for it before the task is sent, so that people need not.',
    })
  }
  // A worse version that came last makes the share rise by itself: that is said already.
  if (trend?.direction === 'rises' && !health.newestIsWorse) {
    findings.push({
      title: 'Negative answers are rising',
      evidence: `${ofHowMany(trend.before)} in the older half of the days, ${ofHowMany(trend.after)} in the newer (${chance(trend.chance)}).`,
      advice: `${versionsAndTheRise(versions)} Look at what changed outside the agent, too: inputs, data, policy, the people who answer.`,
    })
  }
  for (const { field, position } of comparisons) {
    if (!position.known || !position.isBiased) continue
    const more = position.firstWins > position.expected ? 'more' : 'less'
    findings.push({
      title: `The order decides in ${name(field)}`,
      evidence: `Whatever stands first wins ${count(position.firstWins)} of ${count(position.n)}; by merit it would be ${count(Math.round(position.expected))} (${chance(position.chance)}).`,
      advice: `People choose the first place ${more} often than its content deserves. Shuffle the order for each task, and do not read small leads as wins.`,
    })
  }
  if (timeouts + answers >= fewestReasons && timeouts / (timeouts + answers) >= manyTimeouts) {
    findings.push({
      title: 'Deadlines decide too often',
      evidence: `${plural(timeouts, 'task')} of ${count(timeouts + answers)} (${percent(timeouts / (timeouts + answers))}) ended by timeout, without a person.`,
      advice: 'Give people longer (`expiresInSeconds`), or do not ask where the answer does not matter.',
    })
  }
  if (findings.length === 0 && health.tooNegative) findings.push(unexplained(figures))
  return findings
}

/** Of two that are alike one is always ahead. This one is so beyond chance. */
function leads(first: number, second: number): boolean {
  return shareOf(first, first + second).low > 0.5
}

/** What the versions say about a rise: never more than was tested. */
function versionsAndTheRise(versions: VersionFigures[]): string {
  if (versions.length === 0)
    return 'The tasks carry no `version`, so nothing tells whether a release caused it: send one.'
  if (versions.length === 1)
    return 'All answers with a version are to the same one, so no release explains it.'
  const newest = versions.find(({ isNewest }) => isNewest)!
  if (newest.verdict === 'too few')
    return 'The newest version has too few answers to tell whether it caused it.'
  if (newest.verdict === 'better')
    return 'The newest version is better than the others, so it did not cause it.'
  return `The newest version does not differ measurably from the others (${noDifference(newest)}), so it need not be the cause.`
}

/** "No difference" means nothing without the difference that could have been found. */
export function noDifference({ detectable }: VersionFigures): string {
  return `a difference of ${points(detectable!)} would probably have shown`
}

function worse(version: VersionFigures, versions: VersionFigures[], name: Naming): Finding {
  const before = versions.find(
    ({ firstSeen, version: name }) => firstSeen < version.firstSeen && name !== version.version,
  )
  const goBack = before?.verdict === 'better' ? ' Go back to it if you cannot tell quickly.' : ''
  return {
    title: `Version ${name(version.version)} is worse${version.isNewest ? ' and it is the newest' : ''}`,
    evidence: `Negative: ${ofHowMany(version)} since ${date(version.firstSeen)}, against ${ofHowMany(version.others)} of all other versions (${chance(version.chance!)} after correction).`,
    advice: version.isNewest
      ? before
        ? `Compare it with ${name(before.version)}, the one before: what changed between them is the first suspect.${goBack}`
        : 'Look at what is special about it first.'
      : 'It is no longer the newest; make sure that what was wrong in it has not stayed.',
    ...(version.cases.length > 0 && { quotes: version.cases }),
  }
}

/** Tested words are a cause to look at. Counted ones are, where there is too much to explain and one of them is in a third of the texts. */
function recurring({ themes, compared, negativeTexts, otherTexts }: Themes, tooNegative: boolean): Finding[] {
  const advice = 'Read the cases, find what they share, and change what the agent does before it asks.'
  if (compared) {
    return [
      {
        title: 'Negative answers name the same things',
        evidence: `${plural(negativeTexts, 'negative answer')} with text, tested against ${plural(otherTexts, 'other')}: these words are more frequent there than chance allows.`,
        advice,
        themes,
      },
    ]
  }
  const main = themes.filter(({ negative }) => negative / negativeTexts >= dominant)
  if (!tooNegative || negativeTexts < fewestReasons || main.length === 0) return []
  return [
    {
      title: 'Many negative answers name the same thing',
      evidence: `${plural(negativeTexts, 'negative answer')} with text. ${onlyCounted(otherTexts)}`,
      advice,
      themes: main,
    },
  ]
}

/** Why a frequency is no more than that. */
export function onlyCounted(otherTexts: number): string {
  const why =
    otherTexts === 0
      ? 'there are no comments on other answers to compare with'
      : `${plural(otherTexts, 'comment')} on other answers ${otherTexts === 1 ? 'is' : 'are'} too few to compare with`
  return `Counted, not tested: ${why}.`
}

/** "in 12 of 46 (26 %), in 2 of 110 others" */
export function frequency({ negative, negativeTexts, others, otherTexts }: Theme, compared: boolean): string {
  const among = `in ${count(negative)} of ${count(negativeTexts)} (${percent(negative / negativeTexts)})`
  return compared ? `${among}, in ${count(others)} of ${plural(otherTexts, 'other')}` : among
}

function unexplained({ negative, themes }: Analysed['figures']): Finding {
  const asked = themes.negativeTexts < 10
  return {
    title: 'Too many negative answers, and no single cause stands out',
    evidence: `Negative: ${ofHowMany(negative)}. No version, reason or trend explains them${themes.compared ? ', and no word marks them' : ''}.`,
    advice: asked
      ? 'Few people say why. Give the negative action a form that asks for the reason, with a handful of choices.'
      : 'Read some of the cases below; a choice of reasons in the form of the negative action would let the next analysis count them.',
    ...(themes.examples.length > 0 && { quotes: themes.examples }),
  }
}

/** What the figures speak for. One line each. */
export function whatToLeave({ figures, health }: Analysed, name: Naming): string[] {
  const { versions, actions, answers, negative, trend, comparisons } = figures
  const lines: string[] = []
  if (health.tooFew) return lines
  // Beside a bad version every other one looks good; that is no news.
  const isNews = versions.every(({ verdict }) => verdict !== 'worse')
  for (const { version, verdict, share, others, ...rest } of versions) {
    if (verdict === 'better' && isNews)
      lines.push(
        `What came with version ${name(version)}: negative ${withInterval({ share, ...rest })} against ${percent(others.share)} of the others.`,
      )
  }
  if (trend?.direction === 'falls')
    lines.push(
      `The course you are on: negative answers fell from ${percent(trend.before.share)} to ${percent(trend.after.share)} (${chance(trend.chance)}).`,
    )
  for (const { field, candidates, position } of comparisons) {
    const best = candidates[0]
    if (best?.wins)
      lines.push(
        `${name(best.name)} in ${name(field)}: it wins ${ofHowMany(best)}; chance would be ${percent(best.expected)}.${
          !position.known && position.why === 'the order never changed'
            ? ' It always stood in the same place, which may be why.'
            : ''
        }`,
      )
  }
  if (negative.high <= mostNegative)
    lines.push(
      `The task as a whole: ${withInterval(negative)} negative is below the ${percent(mostNegative)} that count as healthy.`,
    )
  const liked = actions.find(({ outcome, share }) => outcome === 'positive' && share >= 0.5)
  if (liked)
    lines.push(
      `What ends in ${name(liked.title)}: ${count(liked.count)} of ${plural(answers, 'answer')} (${percent(liked.share)}).`,
    )
  return lines
}
