import { limits } from '../../../contract/limits.ts'
import { RuleCondition } from '../../../contract/rules/rule.ts'
import type { Scalar } from './flat-fields.ts'
import type { FieldValues } from './past-answer-table.ts'

/**
 * The values of one field as indexes of `distinct`, or -1 for no value. `distinct` starts with its
 * `numbers` numeric values, in ascending order.
 */
export type CodedColumn = { field: string; codes: Int32Array; distinct: Scalar[]; numbers: number }

export function codeColumn({ field, values }: FieldValues): CodedColumn {
  const all = [...new Set(values)].filter((value) => value !== undefined)
  const ascending = all.filter((value) => typeof value === 'number').sort((one, other) => one - other)
  const distinct = [...ascending, ...all.filter((value) => typeof value !== 'number')]
  const codeOf = new Map(distinct.map((value, code) => [value, code]))
  const codes = Int32Array.from(values, (value) => (value === undefined ? -1 : codeOf.get(value)!))
  return { field, codes, distinct, numbers: ascending.length }
}

/** How many rows are matched, and in how many of these people gave the answer. */
export type Coverage = { covered: number; agreed: number }
/** A condition that splits the rows, with the coverage of those for which it holds. */
export type Split = Coverage & { condition: RuleCondition }

/**
 * The rows of a table from `start` on that have a 1 in `matches`. `isGiven` has a 1 for each row in
 * which people gave the answer.
 */
export type Subset = { matches: Uint8Array; isGiven: Uint8Array; start: number }

/** With fewer rows, a value would often exceed the share by chance. */
const minPerValue = 5

/**
 * For each of `shares`, the conditions on one field with the highest `agreed - share * covered`.
 * `used`: the kinds of conditions that the candidate rule already has on this field, which are not
 * repeated.
 */
export function splitsOf(
  column: CodedColumn,
  { matches, isGiven, start }: Subset,
  shares: number[],
  used: RuleCondition['is'][],
): Split[] {
  if (used.includes('equals') || used.includes('oneOf')) return []
  const { codes, distinct, numbers } = column
  const covered = new Uint32Array(distinct.length)
  const agreed = new Uint32Array(distinct.length)
  for (let i = start; i < codes.length; i++) {
    const code = codes[i]!
    if (code < 0 || matches[i] === 0) continue
    covered[code]! += 1
    agreed[code]! += isGiven[i]!
  }
  const isCategorical = distinct.length <= limits.ruleValues && used.length === 0
  return shares.flatMap((share) => [
    ...(isCategorical ? valueSplit(column, covered, agreed, share) : []),
    ...(numbers > 1 ? thresholdSplits(column, covered, agreed, share) : []).filter(
      ({ condition }) => !used.includes(condition.is),
    ),
  ])
}

/**
 * One condition for all values with at least `minPerValue` rows for which people give the answer in
 * more than this share.
 */
function valueSplit(
  { field, distinct }: CodedColumn,
  covered: Uint32Array,
  agreed: Uint32Array,
  share: number,
): Split[] {
  const chosen = [...distinct.keys()].filter(
    (code) => covered[code]! >= minPerValue && agreed[code]! > share * covered[code]!,
  )
  if (chosen.length === 0) return []
  const values = chosen.map((code) => distinct[code]!)
  values.sort((one, other) => (String(one) < String(other) ? -1 : 1))
  const [first, ...others] = values
  const condition = others.length === 0 ? { is: 'equals', value: first } : { is: 'oneOf', value: values }
  // Not successful if a condition may not have this field name or one of these values.
  const { success, data } = RuleCondition.safeParse({ field, ...condition })
  const sum = (counts: Uint32Array) => chosen.reduce((total, code) => total + counts[code]!, 0)
  return success ? [{ condition: data, covered: sum(covered), agreed: sum(agreed) }] : []
}

/**
 * The `atMost` and the `atLeast` condition for which `agreed - share * covered` is largest.
 * Thresholds are values that occur.
 */
function thresholdSplits(
  { field, distinct, numbers }: CodedColumn,
  covered: Uint32Array,
  agreed: Uint32Array,
  share: number,
): Split[] {
  const best = (is: 'atMost' | 'atLeast'): Split[] => {
    const sum = { covered: 0, agreed: 0 }
    const found = { code: -1, score: Number.NEGATIVE_INFINITY, covered: 0, agreed: 0 }
    for (let step = 0; step < numbers; step++) {
      const code = is === 'atMost' ? step : numbers - 1 - step
      if (covered[code] === 0) continue
      sum.covered += covered[code]!
      sum.agreed += agreed[code]!
      const score = sum.agreed - share * sum.covered
      if (score <= found.score) continue
      found.code = code
      found.score = score
      found.covered = sum.covered
      found.agreed = sum.agreed
    }
    if (found.code < 0) return []
    const { success, data } = RuleCondition.safeParse({ field, is, value: distinct[found.code] })
    return success ? [{ condition: data, covered: found.covered, agreed: found.agreed }] : []
  }
  return [...best('atMost'), ...best('atLeast')]
}
