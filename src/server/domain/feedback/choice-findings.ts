import type { Finding } from './finding.ts'
import type { FormFieldCounts } from './form-fields.ts'
import { count, formatPValue, ofHowMany, percent } from './format.ts'
import type { Observation } from './observation.ts'
import { addTo, differencePValue, shareOf, sum } from './proportions.ts'
import type { Naming } from './references.ts'
import { strongestOf } from './strongest-day.ts'

const minAnswers = 10
/** A choice that is only counted must be in at least this share of the answers. */
const minCountedShare = 0.3
const level = 0.05
const advice = 'Check for it before the task is sent, so that people do not have to.'

/**
 * Choices in the forms of negative actions that may be reasons. If people filled in the field of
 * the same name with other actions too, a choice must be significantly more frequent with the
 * negative action. If they did not, there is nothing to compare with, and the most frequent choice
 * is only counted. Both must also hold without the strongest day; only that check reads
 * `observations`, the newest answers.
 */
export function choiceFindings(
  formFields: FormFieldCounts[],
  isNegative: (actionId: string) => boolean,
  observations: Observation[],
  name: Naming,
): Finding[] {
  return formFields.flatMap((own) => {
    if (!own.choices?.[0] || own.answers < minAnswers || !isNegative(own.actionId)) return []
    const others = formFields.filter((other) => other.field === own.field && !isNegative(other.actionId))
    const filledIn = observations.filter(({ choices }) => choices.some(([field]) => field === own.field))
    const ownAnswers = filledIn.filter(({ actionId }) => actionId === own.actionId)
    const otherAnswers = filledIn.filter(({ actionId }) => !isNegative(actionId))
    const finding =
      sum(others, ({ answers }) => answers) === 0
        ? mostFrequentChoice(own, ownAnswers, name)
        : distinctiveChoice(own, others, { ownAnswers, otherAnswers }, name)
    return finding ? [finding] : []
  })
}

/** Undefined if no choice is clearly the most frequent one. */
function mostFrequentChoice(
  { actionTitle, field, title, answers, choices }: FormFieldCounts,
  ownAnswers: Observation[],
  name: Naming,
): Finding | undefined {
  const [top] = choices!
  const isClear = (n: number, [first = 0, ...others]: number[]) =>
    first / n >= minCountedShare && leads(first, Math.max(0, ...others))
  const countsIn = (observations: Observation[]) => {
    const counts = new Map(choices!.map(({ label }) => [label, 0]))
    for (const one of observations)
      for (const [name, label] of one.choices) if (name === field) addTo(counts, label)
    return [...counts.values()]
  }
  const counts = choices!.map(({ count }) => count)
  if (!top || !isClear(answers, counts)) return undefined
  const day = strongestDayOf(ownAnswers, field, top.label, 0)
  const left = ownAnswers.filter((one) => one.day !== day)
  if (day !== undefined && !isClear(left.length, countsIn(left))) return undefined
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

/**
 * Of the choices that are significantly more frequent than with other actions, the most frequent
 * one.
 */
function distinctiveChoice(
  { actionTitle, field, title, answers, choices }: FormFieldCounts,
  others: FormFieldCounts[],
  { ownAnswers, otherAnswers }: { ownAnswers: Observation[]; otherAnswers: Observation[] },
  name: Naming,
): Finding | undefined {
  const countOfOthers = sum(others, (other) => other.answers)
  if (countOfOthers < minAnswers) return undefined
  const chosenInOthers = new Map<string, number>()
  for (const other of others)
    for (const { label, count } of other.choices ?? []) addTo(chosenInOthers, label, count)
  const [first] = choices!
    .map(({ label, count: chosen }) => {
      const own = shareOf(chosen, answers)
      const rest = shareOf(chosenInOthers.get(label) ?? 0, countOfOthers)
      return { label, own, rest, pValue: differencePValue(own, rest) * choices!.length }
    })
    .filter(({ own, rest, pValue }) => pValue < level && own.share > rest.share)
    .filter(({ label, rest }) => {
      const day = strongestDayOf(ownAnswers, field, label, rest.share)
      if (day === undefined) return true
      const shareWithoutDay = (observations: Observation[]) => {
        const left = observations.filter((one) => one.day !== day)
        return shareOf(countChosen(left, field, label), left.length)
      }
      const [one, other] = [shareWithoutDay(ownAnswers), shareWithoutDay(otherAnswers)]
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

function countChosen(answers: Observation[], field: string, label: string): number {
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
  for (const one of answers) addTo(excess, one.day, countChosen([one], field, label) - expectedShare)
  return strongestOf(excess)
}

/**
 * Whether the most frequent choice is ahead of the second by more than chance explains: of two
 * equally likely choices, one is usually ahead.
 */
function leads(first: number, second: number): boolean {
  return shareOf(first, first + second).low > 0.5
}
