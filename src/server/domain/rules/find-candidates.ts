import { matchesConditions } from '../../../contract/rules/matches-conditions.ts'
import type { RuleCondition } from '../../../contract/rules/rule.ts'
import type { Slices } from '../../lib/event-loop.ts'
import type { Case } from './case-table.ts'
import { type CodedColumn, type Counts, type Split, type Subset, splitsOf } from './splits.ts'
import { minAgreement, minCoverage } from './suggestion-limits.ts'

export type Candidate = {
  /** Index in the answers of the table. */
  answer: number
  when: RuleCondition[]
  /** 1 for each case of the table that it would answer. */
  matches: Uint8Array
  /** How many of the older cases it matches, and in how many of those people gave its answer. */
  covered: number
  agreed: number
}

const maxConditions = 3
const nodesPerScore = 5
/** One disagreement outweighs this many agreements. */
const disagreementWeight = minAgreement / (1 - minAgreement)

/** Agreements minus the weighted disagreements; above 0, the agreement is above `minAgreement`. */
export const worth = ({ covered, agreed }: Counts) => agreed - disagreementWeight * (covered - agreed)

/**
 * Searches for conditions under which people nearly always gave one answer: subgroup discovery by
 * beam search. Returns the candidate without conditions, and the best with one, two and three.
 * Counts only the cases from `start` on, the older ones.
 */
export function* findCandidates(
  cases: Case[],
  columns: CodedColumn[],
  start: number,
  answer: number,
): Slices<Candidate[]> {
  const older = cases.length - start
  const minCovered = Math.max(1, minCoverage * older)
  const given = { isGiven: Uint8Array.from(cases, (one) => (one.answer === answer ? 1 : 0)), start }
  const root = count({ answer, when: [], matches: new Uint8Array(cases.length).fill(1) }, given)
  const share = root.agreed / older
  /** How much more often the answer is given than on average: finds conditions that help only together. */
  const lift = ({ covered, agreed }: Counts) => agreed - share * covered

  const found = [root]
  let nodes = [root]
  for (let depth = 0; depth < maxConditions; depth++) {
    const children = new Map<string, Split & { parent: Candidate }>()
    // Where nobody disagrees, further conditions only cover less.
    for (const parent of nodes.filter(({ covered, agreed }) => agreed < covered)) {
      const shares = [share, minAgreement, parent.agreed / parent.covered]
      for (const column of columns) {
        const used = parent.when.filter(({ field }) => field === column.field).map(({ is }) => is)
        for (const split of splitsOf(column, { ...given, matches: parent.matches }, shares, used)) {
          if (split.covered < minCovered || split.covered === parent.covered) continue
          const parts = [...parent.when, split.condition].map((part) => JSON.stringify(part))
          children.set(parts.sort().join(), { ...split, parent })
        }
        yield
      }
    }
    const all = [...children.values()]
    nodes = []
    for (const { condition, parent } of new Set([...bestBy(all, worth), ...bestBy(all, lift)])) {
      nodes.push(refine(parent, condition, columns, { ...given, matches: parent.matches }))
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
  columns: CodedColumn[],
  subset: Subset,
): Candidate {
  const { codes, distinct } = columns.find(({ field }) => field === condition.field)!
  const holds = distinct.map((value) => matchesConditions([condition], { [condition.field]: value }))
  const matches = parent.matches.map((isMatch, i) => (codes[i]! >= 0 && holds[codes[i]!] ? isMatch : 0))
  return count({ answer: parent.answer, when: [...parent.when, condition], matches }, subset)
}

function count(
  candidate: Omit<Candidate, 'covered' | 'agreed'>,
  { isGiven, start }: Pick<Subset, 'isGiven' | 'start'>,
): Candidate {
  let [covered, agreed] = [0, 0]
  for (let i = start; i < isGiven.length; i++) {
    covered += candidate.matches[i]!
    agreed += candidate.matches[i]! & isGiven[i]!
  }
  return { ...candidate, covered, agreed }
}
