import { agreementAtLeast } from '../../../contract/rules/agreement-bound.ts'
import type { Slices } from '../../lib/event-loop.ts'
import { type CandidateRule, worth } from './find-candidate-rules.ts'
import { maxFalseOfferProbability, minAgreement, minCoverage } from './suggestion-limits.ts'

export type JudgedRule = CandidateRule & {
  /** How many of the newest rows it matches, and in how many of these people gave its answer. */
  newCovered: number
  newAgreed: number
  /** The lower bound of its agreement, corrected for the number of candidates that were judged. */
  atLeast: number
  /** How many candidates were judged. */
  candidates: number
}

const maxJudged = 10
const maxOffered = 3
/** Two candidates that match the same rows in at least this share are about the same tasks. */
const sameShare = 0.9
/**
 * Each condition reduces the value of a candidate by this share of the number of older rows, so
 * that rules with few conditions are preferred.
 */
const conditionPrice = 0.02

/**
 * Chooses, by the older rows only, which candidates are judged on the newest rows. The more
 * candidates are judged, the higher the confidence that each of them needs. So it chooses the
 * largest number of candidates that are all expected to pass.
 */
export function* chooseCandidateRules(found: CandidateRule[], newestCount: number): Slices<CandidateRule[]> {
  const older = (found[0]?.matches.length ?? 0) - newestCount
  const value = (candidate: CandidateRule) =>
    worth(candidate) - conditionPrice * older * candidate.when.length
  const kept: CandidateRule[] = []
  for (const candidate of [...found].sort((one, other) => value(other) - value(one))) {
    const isRedundant = kept.some(
      (better) =>
        better.answer === candidate.answer &&
        agreementOf(candidate) <= agreementOf(better) &&
        commonRows(better, candidate, newestCount) >= sameShare * candidate.covered,
    )
    if (!isRedundant) kept.push(candidate)
    yield
  }
  for (let k = Math.min(maxJudged, kept.length); k > 0; k--) {
    const expected = kept.filter((candidate) => isExpectedToPass(candidate, older, newestCount, k))
    if (expected.length >= k) return expected.slice(0, k)
    yield
  }
  return []
}

const agreementOf = ({ covered, agreed }: CandidateRule) => agreed / covered

function isExpectedToPass(
  { covered, agreed }: CandidateRule,
  older: number,
  newest: number,
  k: number,
): boolean {
  const share = covered / older
  // The number of newest rows that it matches, one standard deviation below the expected number.
  const n = Math.floor(share * newest - Math.sqrt(newest * share * (1 - share)))
  if (share < minCoverage || n < 1 || agreed < minAgreement * covered) return false
  return agreementAtLeast(Math.floor((n * agreed) / covered), n, maxFalseOfferProbability / k) >= minAgreement
}

/**
 * The candidates with enough agreement in the newest rows, those that match the most rows first.
 * Leaves out a candidate if one that precedes it matches nearly all of its rows.
 */
export function judgeCandidateRules(
  chosen: CandidateRule[],
  isGiven: (candidate: CandidateRule, i: number) => boolean,
  newest: number,
): JudgedRule[] {
  const candidates = chosen.length
  const passed = chosen
    .map((candidate): JudgedRule => {
      let [newCovered, newAgreed] = [0, 0]
      for (let i = 0; i < newest; i++) {
        if (candidate.matches[i] === 0) continue
        newCovered += 1
        if (isGiven(candidate, i)) newAgreed += 1
      }
      const atLeast = agreementAtLeast(newAgreed, newCovered, maxFalseOfferProbability / candidates)
      return { ...candidate, newCovered, newAgreed, atLeast, candidates }
    })
    .filter(({ newCovered, atLeast }) => atLeast >= minAgreement && newCovered >= minCoverage * newest)
    .sort((one, other) => other.newCovered - one.newCovered)
  const offered: JudgedRule[] = []
  for (const judged of passed) {
    const isCovered = offered.some(
      (wider) => commonRows(wider, judged, 0, newest) >= sameShare * judged.newCovered,
    )
    if (!isCovered && offered.length < maxOffered) offered.push(judged)
  }
  return offered
}

function commonRows(one: CandidateRule, other: CandidateRule, from: number, to = one.matches.length): number {
  let common = 0
  for (let i = from; i < to; i++) common += one.matches[i]! & other.matches[i]!
  return common
}
