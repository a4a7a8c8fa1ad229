import { limits } from '../../../contract/limits.ts'
import type { AnalysisInput } from './analyst.ts'
import type { VersionFigures } from './figures.ts'
import { chance, count, date, ofHowMany, percent, plural, points, withInterval } from './format.ts'
import { shareOf } from './proportions.ts'
import type { Naming } from './references.ts'
import type { Quote, Theme, Themes } from './themes.ts'

/** One result of the figures, and what to do about it. */
export type Finding = {
  /** A few words, shown before the numbers. */
  title: string
  evidence: string
  advice: string
  /** Human text accompanies the sentences above and is never part of them. */
  themes?: Theme[]
  quotes?: Quote[]
}

const highTimeoutShare = 0.2
const dominantShare = 0.3
const minReasons = 10

/** What to change, the most certain and largest effects first. */
export function findChanges({ figures, health }: AnalysisInput, name: Naming): Finding[] {
  const { versions, themes, questions, actions, comparisons, trend, timeouts, answers } = figures
  const findings: Finding[] = []
  for (const version of versions.filter(({ verdict }) => verdict === 'worse'))
    findings.push(worse(version, versions, name))
  if (!health.tooFew && themes.themes.length > 0) findings.push(...recurring(themes, health.tooNegative))
  const isNegative = (id: string) =>
    actions.some(({ actionId, outcome }) => actionId === id && outcome === 'negative')
  for (const { actionId, actionTitle, title, answers: n, choices } of questions) {
    const [top, next] = choices ?? []
    if (!top || n < minReasons || top.count / n < dominantShare || !isNegative(actionId)) continue
    if (!leads(top.count, next?.count ?? 0)) continue
    findings.push({
      title: `${name(actionTitle)} has one main reason: ${name(top.label)}`,
      evidence: `${count(top.count)} of ${count(n)} answers to ${name(title)} (${percent(top.count / n)}).`,
      advice: 'Check for it before the task is sent, so that people do not have to.',
    })
  }
  // A worse newest version already explains a rise and has been reported above.
  if (trend?.direction === 'rises' && !health.newestIsWorse) {
    findings.push({
      title: 'Negative answers are rising',
      evidence: `${ofHowMany(trend.before)} in the older half of the days, ${ofHowMany(trend.after)} in the newer (${chance(trend.chance)}).`,
      advice: `${explainRiseByVersion(versions)} Look at what changed outside the agent, too: inputs, data, policy, the people who answer.`,
    })
  }
  for (const { field, position } of comparisons) {
    if (!position.known || !position.isBiased) continue
    const more = position.firstWins > position.expected ? 'more' : 'less'
    findings.push({
      title: `The order decides in ${name(field)}`,
      evidence: `The candidate shown first wins ${count(position.firstWins)} of ${count(position.n)}; on merit it would be ${count(Math.round(position.expected))} (${chance(position.chance)}).`,
      advice: `People choose the first position ${more} often than its content deserves. Shuffle the order for each task, and do not read small leads as wins.`,
    })
  }
  if (timeouts + answers >= minReasons && timeouts / (timeouts + answers) >= highTimeoutShare) {
    findings.push({
      title: 'Deadlines decide too often',
      evidence: `${plural(timeouts, 'task')} of ${count(timeouts + answers)} (${percent(timeouts / (timeouts + answers))}) ended by timeout, without a person.`,
      advice: 'Give people more time (`expiresInSeconds`), or do not ask if the answer does not matter.',
    })
  }
  if (findings.length === 0 && health.tooNegative) findings.push(unexplained(figures))
  return findings
}

/** Whether the first leads by more than chance: even of two equal ones, one is always ahead. */
function leads(first: number, second: number): boolean {
  return shareOf(first, first + second).low > 0.5
}

/** What the versions say about a rise, never more than was tested. */
function explainRiseByVersion(versions: VersionFigures[]): string {
  if (versions.length === 0)
    return 'The tasks have no `version`, so it is unknown whether a release caused it: send one.'
  if (versions.length === 1)
    return 'All answers with a version are to the same one, so no release explains it.'
  const newest = versions.find(({ isNewest }) => isNewest)!
  if (newest.verdict === 'too few')
    return 'The newest version has too few answers to tell whether it caused it.'
  if (newest.verdict === 'better')
    return 'The newest version is better than the others, so it did not cause it.'
  return `The newest version does not differ measurably from the others (${noDifference(newest)}), so it is not necessarily the cause.`
}

/** "No difference" is only meaningful together with the difference that would have been detected. */
export function noDifference({ detectable }: VersionFigures): string {
  return `a difference of ${points(detectable!)} would probably have been detected`
}

function worse(version: VersionFigures, versions: VersionFigures[], name: Naming): Finding {
  const before = versions.find(
    (other) => other.firstSeen < version.firstSeen && other.version !== version.version,
  )
  const goBack = before?.verdict === 'better' ? ' Roll back to it if you cannot find the cause quickly.' : ''
  return {
    title: `Version ${name(version.version)} is worse${version.isNewest ? ' and is the newest' : ''}`,
    evidence: `Negative: ${ofHowMany(version)} since ${date(version.firstSeen)}, against ${ofHowMany(version.others)} of all other versions (${chance(version.chance!)} after correction).`,
    advice: version.isNewest
      ? before
        ? `Compare it with ${name(before.version)}, the previous one: what changed between them is the first suspect.${goBack}`
        : 'Look at what is special about it first.'
      : 'It is no longer the newest; make sure that its problem is not still there.',
    ...(version.cases.length > 0 && { quotes: version.cases }),
  }
}

/**
 * Words that passed a test are worth a look. Words that were only counted are reported only if there are
 * too many negative answers and a word occurs in about a third of their texts.
 */
function recurring({ themes, compared, negativeTexts, otherTexts }: Themes, tooNegative: boolean): Finding[] {
  const advice = 'Read the cases, find what they share, and change what the agent does before it asks.'
  if (compared) {
    return [
      {
        title: 'Negative answers mention the same things',
        evidence: `${plural(negativeTexts, 'negative answer')} with text, tested against ${plural(otherTexts, 'other')}: these words are more frequent there than chance explains.`,
        advice,
        themes,
      },
    ]
  }
  const main = themes.filter(({ negative }) => negative / negativeTexts >= dominantShare)
  if (!tooNegative || negativeTexts < minReasons || main.length === 0) return []
  return [
    {
      title: 'Many negative answers mention the same thing',
      evidence: `${plural(negativeTexts, 'negative answer')} with text. ${onlyCounted(otherTexts)}`,
      advice,
      themes: main,
    },
  ]
}

/** Says why words were counted but not tested. */
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

function unexplained({ negative, themes }: AnalysisInput['figures']): Finding {
  const hasFewTexts = themes.negativeTexts < minReasons
  return {
    title: 'Too many negative answers, and no single cause stands out',
    evidence: `Negative: ${ofHowMany(negative)}. No version, reason or trend explains them${themes.compared ? ', and no word distinguishes them' : ''}.`,
    advice: hasFewTexts
      ? 'Few people say why. Give the negative action a form that asks for the reason, with a handful of choices.'
      : 'Read some of the cases below; a choice of reasons in the form of the negative action would let the next analysis count them.',
    ...(themes.examples.length > 0 && { quotes: themes.examples }),
  }
}

/** What the figures say is good, one line each. */
export function findStrengths({ figures, health }: AnalysisInput, name: Naming): string[] {
  const { versions, actions, answers, negative, trend, comparisons } = figures
  const lines: string[] = []
  if (health.tooFew) return lines
  // Compared with a bad version every other one looks good, which says nothing.
  const isMeaningful = versions.every(({ verdict }) => verdict !== 'worse')
  for (const { version, verdict, share, others, ...rest } of versions) {
    if (verdict === 'better' && isMeaningful)
      lines.push(
        `What changed with version ${name(version)}: negative ${withInterval({ share, ...rest })} against ${percent(others.share)} of the others.`,
      )
  }
  if (trend?.direction === 'falls')
    lines.push(
      `The current direction: negative answers fell from ${percent(trend.before.share)} to ${percent(trend.after.share)} (${chance(trend.chance)}).`,
    )
  for (const { field, candidates, position } of comparisons) {
    const best = candidates[0]
    if (best?.wins)
      lines.push(
        `${name(best.name)} in ${name(field)}: it wins ${ofHowMany(best)}; chance would be ${percent(best.expected)}.${
          !position.known && position.why === 'the order never changed'
            ? ' It was always shown in the same position, which may be why.'
            : ''
        }`,
      )
  }
  if (negative.high <= limits.healthyNegativeShare)
    lines.push(
      `The task as a whole: ${withInterval(negative)} negative is below the ${percent(limits.healthyNegativeShare)} that count as healthy.`,
    )
  const liked = actions.find(({ outcome, share }) => outcome === 'positive' && share >= 0.5)
  if (liked)
    lines.push(
      `Tasks that end in ${name(liked.title)}: ${count(liked.count)} of ${plural(answers, 'answer')} (${percent(liked.share)}).`,
    )
  return lines
}
