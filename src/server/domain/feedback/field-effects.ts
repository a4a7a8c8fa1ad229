import type { Slices } from '../../lib/event-loop.ts'
import { addTo } from './durations.ts'
import { factorValue, fieldsOf, type Observation } from './observation.ts'
import { differencePValue, holmCorrected, type Share, shareOf } from './proportions.ts'
import { negativeShare } from './stratified-test.ts'
import { strongestOf } from './strongest-day.ts'

/**
 * Tasks with this value in a field of their context or metadata are answered negatively more often
 * than the others.
 */
export type FieldEffect = { field: string; value: string; marked: Share; others: Share; pValue: number }

const level = 0.05
const minAnswers = 10
const maxEffects = 3

/**
 * The p-values are corrected for the number of fields and values. Each effect must also be
 * significant without its strongest day.
 */
export function* findFieldEffects(answers: Observation[]): Slices<FieldEffect[]> {
  const effects: FieldEffect[] = []
  for (const field of fieldsOf(answers)) {
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
  return surviving
    .sort((a, b) => b.marked.count - expectedOf(b) - (a.marked.count - expectedOf(a)))
    .slice(0, maxEffects)
}

const expectedOf = ({ marked, others }: FieldEffect) => marked.n * others.share

function effectsOf(answers: Observation[], field: string): FieldEffect[] {
  const all = negativeShare(answers)
  const tallies = new Map<string, { count: number; n: number }>()
  for (const one of answers) {
    const value = factorValue(one, field)
    const tally = tallies.get(value) ?? { count: 0, n: 0 }
    tally.n++
    if (one.isNegative) tally.count++
    tallies.set(value, tally)
  }
  return [...tallies]
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
  const marked = left.filter((one) => factorValue(one, field) === value)
  const own = negativeShare(marked)
  const all = negativeShare(left)
  const rest = shareOf(all.count - own.count, all.n - own.n)
  return own.share > rest.share && differencePValue(own, rest) * tests < level
}
