import type { Slices } from '../../lib/event-loop.ts'
import { factorFields, factorValue, negativeShare, type Observation } from './observation.ts'
import {
  addTo,
  differencePValue,
  holmCorrected,
  type Proportion,
  type Share,
  shareOf,
} from './proportions.ts'
import { strongestOf } from './strongest-day.ts'

/**
 * Tasks with this value in a field of their context or metadata (`marked`) get negative answers
 * more often than the other tasks. `value` is empty for tasks without the field.
 */
export type FieldEffect = { field: string; value: string; marked: Share; others: Share; pValue: number }

const level = 0.05
const minAnswers = 10
const maxEffects = 3

/**
 * The effects that explain most negative answers, at most three. Their p-values are corrected for
 * the number of values of all fields. Each effect must also be significant without its strongest
 * day. `answers`: only those whose content is not deleted.
 */
export function* findFieldEffects(answers: Observation[]): Slices<FieldEffect[]> {
  const effects: FieldEffect[] = []
  for (const field of factorFields(answers)) {
    yield
    effects.push(...effectsOf(answers, field))
  }
  const pValues = holmCorrected(effects.map(({ pValue }) => pValue))
  const surviving: FieldEffect[] = []
  for (const [i, effect] of effects.entries()) {
    const pValue = pValues[i]!
    if (pValue >= level || effect.marked.share <= effect.others.share) continue
    yield
    if (survivesWithoutStrongestDay(answers, effect, effects.length)) surviving.push({ ...effect, pValue })
  }
  return surviving.sort((a, b) => excessOf(b) - excessOf(a)).slice(0, maxEffects)
}

/** How many negative answers the tasks have beyond the share of the others. */
const excessOf = ({ marked, others }: FieldEffect) => marked.count - marked.n * others.share

function effectsOf(answers: Observation[], field: string): FieldEffect[] {
  const all = negativeShare(answers)
  const byValue = new Map<string, Proportion>()
  for (const one of answers) {
    const value = factorValue(one, field)
    const negative = byValue.get(value) ?? { count: 0, n: 0 }
    negative.n++
    if (one.isNegative) negative.count++
    byValue.set(value, negative)
  }
  return [...byValue]
    .filter(([, { n }]) => n >= minAnswers && all.n - n >= minAnswers)
    .map(([value, { count, n }]) => {
      const others = shareOf(all.count - count, all.n - n)
      const marked = shareOf(count, n)
      return { field, value, marked, others, pValue: differencePValue(marked, others) }
    })
}

function survivesWithoutStrongestDay(
  answers: Observation[],
  { field, value, others }: FieldEffect,
  tests: number,
): boolean {
  const contributions = new Map<number, number>()
  for (const one of answers) {
    const isMarked = factorValue(one, field) === value
    addTo(contributions, one.day, isMarked ? (one.isNegative ? 1 : 0) - others.share : 0)
  }
  const strongest = strongestOf(contributions)
  if (strongest === undefined) return true
  const left = answers.filter(({ day }) => day !== strongest)
  const markedLeft = negativeShare(left.filter((one) => factorValue(one, field) === value))
  const all = negativeShare(left)
  const othersLeft = shareOf(all.count - markedLeft.count, all.n - markedLeft.n)
  return markedLeft.share > othersLeft.share && differencePValue(markedLeft, othersLeft) * tests < level
}
