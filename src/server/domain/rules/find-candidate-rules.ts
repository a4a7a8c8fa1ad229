import { matchesConditions } from '../../../contract/rules/matches-conditions.ts'
import type { RuleCondition } from '../../../contract/rules/rule.ts'
import type { Slices } from '../../lib/event-loop.ts'
import type { PastAnswerRow } from './past-answer-table.ts'
import { type CodedColumn, type Coverage, type Split, type Subset, splitsOf } from './splits.ts'
import { minAgreement, minCoverage } from './suggestion-limits.ts'

/** A rule that might be suggested. */
export type CandidateRule = {
  /** Index in the answers of the table. */
  answer: number
  when: RuleCondition[]
  /** 1 for each row of the table that it matches. */
  matches: Uint8Array
  /** How many of the older rows it matches, and in how many of these people gave its answer. */
  covered: number
  agreed: number
}

const maxConditions = 3
/** After each step, this many candidates by each of two scores get a further condition. */
const beamWidth = 5
/** One disagreement outweighs this many agreements. */
const disagreementWeight = minAgreement / (1 - minAgreement)

/** Agreements minus weighted disagreements. Above 0 if the agreement is above `minAgreement`. */
export const worth = ({ covered, agreed }: Coverage) => agreed - disagreementWeight * (covered - agreed)

/**
 * Searches for conditions under which people nearly always gave `answer`: subgroup discovery by
 * beam search. Returns the candidate without conditions, and the best candidates with one, two and
 * three. Only the older rows are counted, those from `start` on.
 */
export function* findCandidateRules(
  rows: PastAnswerRow[],
  columns: CodedColumn[],
  start: number,
  answer: number,
): Slices<CandidateRule[]> {
  const older = rows.length - start
  const minCovered = Math.max(1, minCoverage * older)
  const counted = { isGiven: Uint8Array.from(rows, (row) => (row.answer === answer ? 1 : 0)), start }
  const root = countCoverage({ answer, when: [], matches: new Uint8Array(rows.length).fill(1) }, counted)
  const share = root.agreed / older
  /**
   * How much more often the answer is given than on average. Candidates with a high value are kept
   * too: a condition may help only together with a further one.
   */
  const liftOverAverage = ({ covered, agreed }: Coverage) => agreed - share * covered

  const found = [root]
  let beam = [root]
  for (let depth = 0; depth < maxConditions; depth++) {
    const children = new Map<string, Split & { parent: CandidateRule }>()
    // If nobody disagrees with a candidate, further conditions can only reduce the rows that it
    // matches.
    for (const parent of beam.filter(({ covered, agreed }) => agreed < covered)) {
      // How often the answer must be given for a condition to be of use: more often than on average,
      // than rules need, and than with the conditions so far.
      const shares = [share, minAgreement, parent.agreed / parent.covered]
      for (const column of columns) {
        const used = parent.when.filter(({ field }) => field === column.field).map(({ is }) => is)
        for (const split of splitsOf(column, { ...counted, matches: parent.matches }, shares, used)) {
          if (split.covered < minCovered || split.covered === parent.covered) continue
          // The same conditions in another order are the same rule.
          const conditions = [...parent.when, split.condition].map((one) => JSON.stringify(one))
          children.set(conditions.sort().join(), { ...split, parent })
        }
        yield
      }
    }
    const all = [...children.values()]
    beam = []
    for (const { condition, parent } of new Set([...bestBy(all, worth), ...bestBy(all, liftOverAverage)])) {
      beam.push(addCondition(parent, condition, columns, { ...counted, matches: parent.matches }))
      yield
    }
    found.push(...beam)
  }
  return found
}

function bestBy<T>(all: T[], score: (one: T) => number): T[] {
  return all.sort((one, other) => score(other) - score(one)).slice(0, beamWidth)
}

function addCondition(
  parent: CandidateRule,
  condition: RuleCondition,
  columns: CodedColumn[],
  subset: Subset,
): CandidateRule {
  const { codes, distinct } = columns.find(({ field }) => field === condition.field)!
  const holds = distinct.map((value) => matchesConditions([condition], { [condition.field]: value }))
  const matches = parent.matches.map((isMatch, i) => (codes[i]! >= 0 && holds[codes[i]!] ? isMatch : 0))
  return countCoverage({ answer: parent.answer, when: [...parent.when, condition], matches }, subset)
}

function countCoverage(
  candidate: Omit<CandidateRule, 'covered' | 'agreed'>,
  { isGiven, start }: Pick<Subset, 'isGiven' | 'start'>,
): CandidateRule {
  let [covered, agreed] = [0, 0]
  for (let i = start; i < isGiven.length; i++) {
    covered += candidate.matches[i]!
    agreed += candidate.matches[i]! & isGiven[i]!
  }
  return { ...candidate, covered, agreed }
}
