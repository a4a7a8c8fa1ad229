import { limits } from '../../../contract/limits.ts'
import { matchesConditions } from '../../../contract/rules/matches-conditions.ts'
import { RuleCondition } from '../../../contract/rules/rule.ts'
import type { Steps } from '../../lib/steps.ts'
import type { Case, Column } from './case-table.ts'
import type { Scalar } from './flat-fields.ts'
import { coverageNeeded, leastAgreement } from './suggestion-limits.ts'

export type Candidate = {
  /** Index in the answers of the table. */
  answer: number
  when: RuleCondition[]
  /** 1 for each case of the table that it would answer. */
  matches: Uint8Array
  /** Of the older cases. */
  covered: number
  agreed: number
}

type Split = { condition: RuleCondition; covered: number; agreed: number }

const maxConditions = 3
const nodesPerScore = 5
const minPerValue = 5
/** A disagreement outweighs so many agreements. */
const disagreementWeight = leastAgreement / (1 - leastAgreement)

/** The number of covered cases beyond what is worth its disagreements. */
export const worth = ({ covered, agreed }: { covered: number; agreed: number }) =>
  agreed - disagreementWeight * (covered - agreed)

/**
 * Conditions under which people nearly always gave one answer, in the cases from `start` on: first those with the best single
 * condition, then with two and three, as in subgroup discovery by beam search. Other cases are not looked at.
 */
export function* findCandidates(
  cases: Case[],
  columns: SortedColumn[],
  start: number,
  answer: number,
): Steps<Candidate[]> {
  const older = cases.length - start
  const minCovered = Math.max(1, coverageNeeded * older)
  const isGiven = Uint8Array.from(cases, (one) => (one.answer === answer ? 1 : 0))

  const root = count({ answer, when: [], matches: new Uint8Array(cases.length).fill(1) }, isGiven, start)
  const share = root.agreed / older
  /** How much more often the answer is given than on average: finds conditions that help only together. */
  const lift = ({ covered, agreed }: { covered: number; agreed: number }) => agreed - share * covered

  const found = [root]
  let nodes = [root]
  for (let depth = 0; depth < maxConditions; depth++) {
    const children = new Map<string, Split & { parent: Candidate }>()
    // Where nobody disagrees, further conditions only cover less.
    for (const parent of nodes.filter(({ covered, agreed }) => agreed < covered)) {
      for (const column of columns) {
        const weights = [share, leastAgreement, parent.agreed / parent.covered]
        for (const split of splitsOf(column, parent, isGiven, start, weights)) {
          if (split.covered < minCovered || split.covered === parent.covered) continue
          const key = JSON.stringify(
            [...parent.when, split.condition].map((part) => JSON.stringify(part)).sort(),
          )
          if (!children.has(key)) children.set(key, { ...split, parent })
        }
        yield
      }
    }
    const all = [...children.values()]
    const best = new Set([worth, lift].flatMap((score) => bestBy(all, score)))
    nodes = []
    for (const { condition, parent } of best) {
      nodes.push(refine(parent, condition, columns, isGiven, start))
      yield
    }
    found.push(...nodes)
  }
  return found
}

function bestBy<T>(all: T[], score: (one: T) => number): T[] {
  return all.sort((one, other) => score(other) - score(one)).slice(0, nodesPerScore)
}

function refine(
  parent: Candidate,
  condition: RuleCondition,
  columns: Column[],
  isGiven: Uint8Array,
  start: number,
): Candidate {
  const { values } = columns.find(({ field }) => field === condition.field)!
  const matches = parent.matches.map((isMatch, i) =>
    isMatch === 1 && matchesConditions([condition], { [condition.field]: values[i] }) ? 1 : 0,
  )
  return count({ answer: parent.answer, when: [...parent.when, condition], matches }, isGiven, start)
}

function count(
  candidate: Omit<Candidate, 'covered' | 'agreed'>,
  isGiven: Uint8Array,
  start: number,
): Candidate {
  let [covered, agreed] = [0, 0]
  for (let i = start; i < isGiven.length; i++) {
    covered += candidate.matches[i]!
    agreed += candidate.matches[i]! & isGiven[i]!
  }
  return { ...candidate, covered, agreed }
}

/** `ascending`: the older cases with a number, in the order of the numbers. `categories`: values, if there are few. */
export type SortedColumn = Column & { ascending: Uint32Array; categories: Scalar[] }

export function sortColumn({ field, values }: Column, start: number): SortedColumn {
  const withNumber: number[] = []
  const categories = new Set<Scalar>()
  for (let i = start; i < values.length; i++) {
    const value = values[i]
    if (value === undefined) continue
    if (typeof value === 'number') withNumber.push(i)
    if (categories.size <= limits.ruleValues) categories.add(value)
  }
  const ascending = Uint32Array.from(withNumber).sort(
    (one, other) => (values[one] as number) - (values[other] as number),
  )
  const isCategorical = categories.size <= limits.ruleValues
  return { field, values, ascending, categories: isCategorical ? [...categories] : [] }
}

/** The best conditions on one field, for each share of agreement that makes a case worth covering. */
function* splitsOf(
  column: SortedColumn,
  parent: Candidate,
  isGiven: Uint8Array,
  start: number,
  weights: number[],
): Generator<Split> {
  const used = parent.when.filter(({ field }) => field === column.field).map(({ is }) => is)
  if (column.categories.length > 0 && used.length === 0)
    for (const weight of weights) yield* oneOfSplit(column, parent, isGiven, start, weight)
  if (column.ascending.length === 0 || used.some((is) => is === 'equals' || is === 'oneOf')) return
  for (const weight of weights) yield* thresholdSplits(column, parent, isGiven, weight, used)
}

/** The values with which the answer is given more often than `weight`. */
function* oneOfSplit(
  { field, values, categories }: SortedColumn,
  { matches }: Candidate,
  isGiven: Uint8Array,
  start: number,
  weight: number,
): Generator<Split> {
  const counts = new Map(categories.map((value) => [value, { covered: 0, agreed: 0 }]))
  for (let i = start; i < values.length; i++) {
    const value = values[i]
    if (value === undefined || matches[i] === 0) continue
    const seen = counts.get(value)!
    seen.covered += 1
    seen.agreed += isGiven[i]!
  }
  const chosen = [...counts].filter(
    ([, { covered, agreed }]) => covered >= minPerValue && agreed > weight * covered,
  )
  if (chosen.length === 0) return
  const list = chosen.map(([value]) => value).sort((one, other) => (String(one) < String(other) ? -1 : 1))
  const condition = list.length === 1 ? { is: 'equals', value: list[0] } : { is: 'oneOf', value: list }
  const { success, data } = RuleCondition.safeParse({ field, ...condition })
  if (!success) return
  const sum = (part: 'covered' | 'agreed') => chosen.reduce((total, [, seen]) => total + seen[part], 0)
  yield { condition: data, covered: sum('covered'), agreed: sum('agreed') }
}

/** The thresholds with the most cases above `weight`, among the values that occur. */
function* thresholdSplits(
  { field, values, ascending }: SortedColumn,
  { matches }: Candidate,
  isGiven: Uint8Array,
  weight: number,
  used: RuleCondition['is'][],
): Generator<Split> {
  const total = { covered: 0, agreed: 0 }
  for (const i of ascending) {
    total.covered += matches[i]!
    total.agreed += matches[i]! & isGiven[i]!
  }
  const score = (covered: number, agreed: number) => agreed - weight * covered
  let [atMost, atLeast]: (Split | undefined)[] = []
  let [covered, agreed] = [0, 0]
  let below: number | undefined
  const consider = (
    best: Split | undefined,
    is: 'atMost' | 'atLeast',
    value: number,
    counts: typeof total,
  ) =>
    best && score(best.covered, best.agreed) >= score(counts.covered, counts.agreed)
      ? best
      : { condition: { field, is, value }, ...counts }
  for (const i of ascending) {
    if (matches[i] === 0) continue
    const value = values[i] as number
    if (below !== undefined && value !== below) {
      atMost = consider(atMost, 'atMost', below, { covered, agreed })
      atLeast = consider(atLeast, 'atLeast', value, {
        covered: total.covered - covered,
        agreed: total.agreed - agreed,
      })
    }
    covered += 1
    agreed += isGiven[i]!
    below = value
  }
  if (atMost && !used.includes('atMost')) yield atMost
  if (atLeast && !used.includes('atLeast')) yield atLeast
}
