import { addTo } from './durations.ts'
import type { Finding } from './finding.ts'
import { count, formatPValue, ofHowMany, percent } from './format.ts'
import type { Observation } from './observation.ts'
import { differencePValue, shareOf, sum } from './proportions.ts'
import type { FormQuestion } from './questions.ts'
import type { Naming } from './references.ts'
import { strongestOf } from './strongest-day.ts'

const minAnswers = 10
const dominantShare = 0.3
const level = 0.05
const advice = 'Check for it before the task is sent, so that people do not have to.'

/**
 * Choices in the form of a negative action that may be reasons. If the question was also answered
 * with other than negative actions, a choice must be more frequent than there; otherwise the most
 * frequent one is only counted. Both must hold without the strongest day. `answers` are the newest
 * ones: only the check without that day uses them.
 */
export function choiceFindings(
  questions: FormQuestion[],
  isNegative: (actionId: string) => boolean,
  answers: Observation[],
  name: Naming,
): Finding[] {
  return questions.flatMap((question) => {
    if (!question.choices?.[0] || question.answers < minAnswers || !isNegative(question.actionId)) return []
    const others = questions.filter((other) => other.field === question.field && !isNegative(other.actionId))
    const given = answers.filter(({ choices }) => choices.some(([field]) => field === question.field))
    const own = given.filter(({ actionId }) => actionId === question.actionId)
    const rest = given.filter(({ actionId }) => !isNegative(actionId))
    const finding =
      sum(others, ({ answers }) => answers) === 0
        ? counted(question, own, name)
        : contrasted(question, others, { own, rest }, name)
    return finding ? [finding] : []
  })
}

function counted(
  { actionTitle, field, title, answers, choices }: FormQuestion,
  given: Observation[],
  name: Naming,
): Finding | undefined {
  const [top] = choices!
  const isDominant = (n: number, counts: number[]) =>
    counts[0]! / n >= dominantShare && leads(counts[0]!, Math.max(0, ...counts.slice(1)))
  const countsIn = (list: Observation[]) => {
    const counts = new Map(choices!.map(({ label }) => [label, 0]))
    for (const one of list) for (const [name, label] of one.choices) if (name === field) addTo(counts, label)
    return [...counts.values()]
  }
  if (
    !top ||
    !isDominant(
      answers,
      choices!.map(({ count }) => count),
    )
  )
    return undefined
  const day = strongestDayOf(given, field, top.label, 0)
  const left = given.filter((one) => one.day !== day)
  if (day !== undefined && !isDominant(left.length, countsIn(left))) return undefined
  return {
    kind: 'choice',
    title: `With ${name(actionTitle)}, people choose ${name(top.label)} most often`,
    evidence: `${count(top.count)} of ${count(answers)} answers to ${name(title)} (${percent(top.count / answers)}). This question was answered only in negative answers, so there is nothing to compare with.`,
    advice,
    gain: top.count,
    isGainAnUpperLimit: true,
    trait: { question: field, choice: top.label },
    chart: {
      title: `${title}, with ${actionTitle}`,
      bars: choices!
        .slice(0, 5)
        .map((one) => ({ ...shareOf(one.count, answers), label: one.label, isMarked: one === top })),
    },
  }
}

function contrasted(
  question: FormQuestion,
  others: FormQuestion[],
  given: { own: Observation[]; rest: Observation[] },
  name: Naming,
): Finding | undefined {
  const { actionTitle, field, title, answers, choices } = question
  const otherAnswers = sum(others, (other) => other.answers)
  if (otherAnswers < minAnswers) return undefined
  const elsewhere = new Map<string, number>()
  for (const other of others)
    for (const { label, count } of other.choices ?? []) addTo(elsewhere, label, count)
  const [first] = choices!
    .map(({ label, count: chosen }) => {
      const [own, rest] = [shareOf(chosen, answers), shareOf(elsewhere.get(label) ?? 0, otherAnswers)]
      return { label, own, rest, pValue: differencePValue(own, rest) * choices!.length }
    })
    .filter(({ own, rest, pValue }) => pValue < level && own.share > rest.share)
    .filter(({ label, rest }) => {
      const day = strongestDayOf(given.own, field, label, rest.share)
      if (day === undefined) return true
      const without = (answers: Observation[]) => {
        const left = answers.filter((one) => one.day !== day)
        return shareOf(countOf(left, field, label), left.length)
      }
      const [one, other] = [without(given.own), without(given.rest)]
      return differencePValue(one, other) * choices!.length < level && one.share > other.share
    })
    .sort((a, b) => b.own.count - a.own.count)
  if (!first) return undefined
  return {
    kind: 'choice',
    title: `${name(first.label)} is chosen more often with ${name(actionTitle)}`,
    evidence: `${ofHowMany(first.own)} answers to ${name(title)}, against ${ofHowMany(first.rest)} with other answers (${formatPValue(first.pValue)} after correction).`,
    advice,
    gain: first.own.count - first.rest.share * answers,
    trait: { question: field, choice: first.label },
    chart: {
      title: `${title}: ${first.label}`,
      bars: [
        { ...first.own, label: `With ${actionTitle}`, isMarked: true },
        { ...first.rest, label: 'With other answers', isMarked: false },
      ],
    },
  }
}

function countOf(answers: Observation[], field: string, label: string): number {
  return answers.filter(({ choices }) => choices.some((one) => one[0] === field && one[1] === label)).length
}

/**
 * The day on which the choice exceeds the expected share by the most answers. Undefined if there
 * are too few days.
 */
function strongestDayOf(
  answers: Observation[],
  field: string,
  label: string,
  expectedShare: number,
): number | undefined {
  const excess = new Map<number, number>()
  for (const one of answers) addTo(excess, one.day, countOf([one], field, label) - expectedShare)
  return strongestOf(excess)
}

/** Whether the first is ahead by more than chance: of two that are equally likely, one is usually ahead. */
function leads(first: number, second: number): boolean {
  return shareOf(first, first + second).low > 0.5
}
