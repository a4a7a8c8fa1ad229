import { limits } from '../../../contract/limits.ts'
import type { AnalysisInput } from './analyst.ts'
import { describeVersion, versionFinding } from './describe-version.ts'
import type { Finding } from './finding.ts'
import { chance, count, ofHowMany, percent, plural, withInterval } from './format.ts'
import { differencePValue, shareOf, sum } from './proportions.ts'
import type { FormQuestion } from './questions.ts'
import type { Naming } from './references.ts'
import type { Theme, Themes } from './themes.ts'

const highTimeoutShare = 0.2
const dominantShare = 0.3
const minReasons = 10
const choiceLevel = 0.05

/** What to change, the most certain and largest effects first. */
export function findChanges({ figures, health }: AnalysisInput, name: Naming): Finding[] {
  const { themes, questions, actions, comparisons, trend, timeouts, answers } = figures
  const findings: Finding[] = []
  const aboutVersion = versionFinding(figures, name)
  if (aboutVersion && !health.tooFew) findings.push(aboutVersion)
  for (const { field, value, marked, others, pValue } of health.tooFew ? [] : figures.fieldEffects) {
    findings.push({
      title: `Tasks with ${name(value)} in ${name(field)} get more negative answers`,
      evidence: `Negative: ${ofHowMany(marked)}, against ${ofHowMany(others)} of the other tasks (${chance(pValue)} after correction).`,
      advice: 'Find out what the agent does differently for them, or what makes them harder.',
    })
  }
  if (!health.tooFew && themes.themes.length > 0) findings.push(...recurring(themes, health.tooNegative))
  const isNegative = (id: string) =>
    actions.some(({ actionId, outcome }) => actionId === id && outcome === 'negative')
  findings.push(...choiceFindings(questions, isNegative, name))
  // A worse newest version already explains a rise and has been reported above.
  if (trend?.direction === 'rises' && !health.newestIsWorse) {
    findings.push({
      title: 'Negative answers are rising',
      evidence: `${ofHowMany(trend.before)} in the older half of the days, ${ofHowMany(trend.after)} in the newer (${chance(trend.chance)}).`,
      advice: `${explainRise(figures, name)} Look at what changed outside the agent, too: inputs, data, policy, the people who answer.`,
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
function explainRise({ current }: AnalysisInput['figures'], name: Naming): string {
  if (!current || current.verdict === 'the only one')
    return current?.version === null
      ? 'The tasks have no `version`, so it is unknown whether a release caused it: send one.'
      : 'All answers are to the same version, so no release explains it.'
  return describeVersion(current, name)
}

/**
 * A choice is a reason only in contrast with other answers to the same question. If only negative answers are asked, it is
 * counted and nothing more is claimed.
 */
function choiceFindings(
  questions: FormQuestion[],
  isNegative: (actionId: string) => boolean,
  name: Naming,
): Finding[] {
  return questions.flatMap(({ actionId, actionTitle, field, title, answers: n, choices }) => {
    if (!choices?.[0] || n < minReasons || !isNegative(actionId)) return []
    const others = questions.filter((other) => other.field === field && !isNegative(other.actionId))
    const otherAnswers = sum(others, (other) => other.answers)
    const advice = 'Check for it before the task is sent, so that people do not have to.'
    if (otherAnswers === 0) {
      const [top, next] = choices
      if (top.count / n < dominantShare || !leads(top.count, next?.count ?? 0)) return []
      return [
        {
          title: `With ${name(actionTitle)}, people mostly choose ${name(top.label)}`,
          evidence: `${count(top.count)} of ${count(n)} answers to ${name(title)} (${percent(top.count / n)}). Other answers are not asked this, so there is nothing to compare with.`,
          advice,
        },
      ]
    }
    const contrasts = choices
      .map(({ label, count: chosen }) => {
        const elsewhere = sum(
          others,
          (other) => other.choices?.find((one) => one.label === label)?.count ?? 0,
        )
        const [own, rest] = [shareOf(chosen, n), shareOf(elsewhere, otherAnswers)]
        return { label, own, rest, pValue: differencePValue(own, rest) * choices.length }
      })
      .filter(({ own, rest, pValue }) => pValue < choiceLevel && own.share > rest.share)
      .sort((a, b) => b.own.count - a.own.count)
    const [first] = contrasts
    if (!first || otherAnswers < minReasons) return []
    return [
      {
        title: `${name(first.label)} is chosen more often with ${name(actionTitle)}`,
        evidence: `${ofHowMany(first.own)} answers to ${name(title)}, against ${ofHowMany(first.rest)} with other answers (${chance(first.pValue)} after correction).`,
        advice,
      },
    ]
  })
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
  const { current, actions, answers, negative, trend, comparisons } = figures
  const lines: string[] = []
  if (health.tooFew) return lines
  if (current?.verdict === 'better') lines.push(describeVersion(current, name))
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
