import type { Slices } from '../../lib/event-loop.ts'
import { largestPValue, strongestDay, type Table, tableForGroup, testFactors } from './factor-tests.ts'
import { type Factor, groupBy, negativeShare, type Observation } from './observation.ts'
import type { Share } from './proportions.ts'

/**
 * A reviewer who answers negatively more or less often than the others, in all answers and within
 * each factor that could be tested.
 */
export type ReviewerEffect = {
  reviewer: string
  direction: 'more' | 'less'
  own: Share
  others: Share
  pValue: number
  testedWithin: Factor[]
  /** Factors within which too few of the reviewer's answers can be compared with others. */
  notSeparatedFrom: Factor[]
}

/** Strict, because naming a person needs more certainty than naming a field. */
const level = 0.01
const minAnswers = 20
const maxReviewers = 50
const maxEffects = 3

/**
 * P-values are corrected for the number of reviewers. Each effect must hold within every factor
 * that can be tested, and without its strongest day.
 */
export function* findReviewerEffects(answers: Observation[], all: Table): Slices<ReviewerEffect[]> {
  const groups = [...groupBy(answers, ({ reviewer }) => reviewer)]
    .filter(([, own]) => own.length >= minAnswers && answers.length - own.length >= minAnswers)
    // Those with the most answers: their differences are the surest.
    .sort(([, one], [, other]) => other.length - one.length)
    .slice(0, maxReviewers)
  const effects: ReviewerEffect[] = []
  for (const [reviewer, ownAnswers] of groups) {
    yield
    const own = negativeShare(ownAnswers)
    const others = negativeShare(answers.filter((one) => one.reviewer !== reviewer))
    const direction = own.share >= others.share ? 'more' : 'less'
    const isOwn = answers.map((one) => one.reviewer === reviewer)
    const table = tableForGroup(all, 'reviewer', isOwn)
    const test = testFactors(table, direction)
    // Two tests per reviewer, one for each direction.
    const corrected = (p: number) => Math.min(1, p * 2 * groups.length)
    const testedWithin = test.tested.map(({ factor }) => factor)
    const pValue = corrected(largestPValue(test, testedWithin))
    if (pValue >= level) continue
    const day = strongestDay(table, direction)
    const without = day === undefined ? test : testFactors(table, direction, day)
    if (corrected(largestPValue(without, testedWithin)) >= level) continue
    effects.push({ reviewer, direction, own, others, pValue, testedWithin, notSeparatedFrom: test.untested })
  }
  return effects.sort((a, b) => excessOf(b) - excessOf(a)).slice(0, maxEffects)
}

const excessOf = ({ own, others }: ReviewerEffect) => Math.abs(own.count - own.n * others.share)
