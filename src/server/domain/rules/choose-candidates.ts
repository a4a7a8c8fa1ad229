import { agreementAtLeast } from '../../../contract/rules/agreement-bound.ts'
import type { Slices } from '../../lib/event-loop.ts'
import { type Candidate, worth } from './find-candidates.ts'
import { maxFalseOfferProbability, minAgreement, minCoverage } from './suggestion-limits.ts'

export type Judged = Candidate & {
  /** How many of the newest cases it matches, and in how many of those people gave its answer. */
  newCovered: number
  newAgreed: number
  atLeast: number
  /** How many candidates were judged. */
  candidates: number
}

const maxJudged = 10
const maxOffered = 3
/** With at least this share of common cases, two candidates are about the same tasks. */
const sameShare = 0.9
/**
 * Each condition must raise the worth by this share of the older cases, so that short rules are
 * preferred.
 */
const conditionPrice = 0.02

/**
 * Chooses, by the older cases only, which candidates are judged on the newest. The more there are,
 * the more certain each must be, so it chooses as many as are all expected to be certain enough.
 */
export function* chooseCandidates(found: Candidate[], newestCount: number): Slices<Candidate[]> {
  const older = (found[0]?.matches.length ?? 0) - newestCount
  const value = (candidate: Candidate) => worth(candidate) - conditionPrice * older * candidate.when.length
  const kept: Candidate[] = []
  for (const candidate of [...found].sort((one, other) => value(other) - value(one))) {
    const isPointless = kept.some(
      (better) =>
        better.answer === candidate.answer &&
        agreement(candidate) <= agreement(better) &&
        commonCases(better, candidate, newestCount) >= sameShare * candidate.covered,
    )
    if (!isPointless) kept.push(candidate)
    yield
  }
  for (let k = Math.min(maxJudged, kept.length); k > 0; k--) {
    const expected = kept.filter((candidate) => isExpectedToPass(candidate, older, newestCount, k))
    if (expected.length >= k) return expected.slice(0, k)
    yield
  }
  return []
}

const agreement = ({ covered, agreed }: Candidate) => agreed / covered

function isExpectedToPass({ covered, agreed }: Candidate, older: number, newest: number, k: number): boolean {
  const share = covered / older
  // One standard deviation fewer tasks than expected.
  const n = Math.floor(share * newest - Math.sqrt(newest * share * (1 - share)))
  if (share < minCoverage || n < 1 || agreed < minAgreement * covered) return false
  return agreementAtLeast(Math.floor((n * agreed) / covered), n, maxFalseOfferProbability / k) >= minAgreement
}

/**
 * The candidates that agree often enough in the newest cases, those that answer most first. Leaves
 * out a candidate if one before it answers nearly all of its cases.
 */
export function judgeCandidates(
  chosen: Candidate[],
  isGiven: (candidate: Candidate, i: number) => boolean,
  newest: number,
): Judged[] {
  const candidates = chosen.length
  const passed = chosen
    .map((candidate): Judged => {
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
  const offered: Judged[] = []
  for (const judged of passed) {
    const isPart = offered.some(
      (wider) => commonCases(wider, judged, 0, newest) >= sameShare * judged.newCovered,
    )
    if (!isPart && offered.length < maxOffered) offered.push(judged)
  }
  return offered
}

function commonCases(one: Candidate, other: Candidate, from: number, to = one.matches.length): number {
  let common = 0
  for (let i = from; i < to; i++) common += one.matches[i]! & other.matches[i]!
  return common
}
