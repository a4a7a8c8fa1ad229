import type {
  AnalysisResult,
  CommonTrait,
  FindingBasis,
  GivenAdvice,
} from '../../../contract/feedback-analysis.ts'
import type { Slices } from '../../lib/event-loop.ts'
import { hasTrait } from './common-trait.ts'
import type { Figures } from './figures.ts'
import type { Observation } from './observation.ts'
import { differenceInterval } from './proportions.ts'

const maxAdvice = 20
/** Older advice is not judged any more. */
const maxDays = 180
/**
 * Advice of an analysis with the verdict healthy is kept only if its gain was at least this many
 * negative answers per 30 days.
 */
const minGain = 5
const minAnswers = 20
const dayMilliseconds = 24 * 3600 * 1000

type Advice = Omit<GivenAdvice, 'nextVersion' | 'seen' | 'result'>
type EarlierRun = { endedAt: Date; isHealthy: boolean | null; result: AnalysisResult }

/** What a later analysis needs to judge the advice of a finding with this trait. */
export function basisOf(trait: CommonTrait, { observations, answers }: Figures): FindingBasis {
  const compared =
    'version' in trait ? observations.filter(({ version }) => version === trait.version) : observations
  return { trait, ...countNegativeWithTrait(trait, compared), answers }
}

/**
 * Judges the advice of the latest earlier run, and the older advice that this run had judged.
 * Newest first, at most 20.
 */
export function* judgeEarlierAdvice(
  latest: EarlierRun | undefined,
  figures: Figures,
  { now, retentionDays }: { now: Date; retentionDays: number | null },
): Slices<GivenAdvice[]> {
  if (!latest) return []
  const since = now.getTime() - Math.min(maxDays, retentionDays ?? maxDays) * dayMilliseconds
  const causes = new Map<string, Advice>()
  for (const advice of [...latest.result.earlierAdvice, ...adviceOf(latest)]) {
    const cause = JSON.stringify([advice.kind, advice.basis.trait])
    // Advice that was repeated keeps its first date.
    if (Date.parse(advice.givenAt) >= since && !causes.has(cause)) causes.set(cause, advice)
  }
  const kept = [...causes.values()]
    .sort((a, b) => Date.parse(b.givenAt) - Date.parse(a.givenAt))
    .slice(0, maxAdvice)
  const judged: GivenAdvice[] = []
  for (const advice of kept) {
    judged.push(judgeAdvice(advice, figures))
    yield
  }
  return judged
}

/** The advice that can be judged. A gain that is an upper limit is no prediction. */
function adviceOf({ endedAt, isHealthy, result }: EarlierRun): Advice[] {
  return result.findings.flatMap(({ kind, title, advice, gain, isGainAnUpperLimit, basis }) =>
    gain !== undefined && !isGainAnUpperLimit && basis && (isHealthy === false || gain >= minGain)
      ? [
          {
            givenAt: endedAt.toISOString(),
            kind,
            title,
            advice,
            version: result.version ?? null,
            predicted: -gain,
            basis,
          },
        ]
      : [],
  )
}

/** Compares the answers to the version that runs now with those at the time of the advice. */
function judgeAdvice(
  { givenAt, kind, title, advice, version, predicted, basis }: Advice,
  { current, observations }: Figures,
): GivenAdvice {
  const kept = { givenAt, kind, title, advice, version, predicted, basis }
  const given = Date.parse(givenAt)
  const own = observations.filter((one) => one.version === current?.version)
  const answers = own.filter(({ createdAt }) => createdAt > given)
  // Advice was tried if all tasks of the version that runs now are newer than the advice. Advice
  // about a version was also tried if another, possibly older, version runs now.
  const isTried =
    current !== undefined &&
    current.version !== version &&
    ('version' in basis.trait || answers.length === own.length)
  if (!isTried) return { ...kept, result: 'not-tried' }
  const tried = { ...kept, ...(current.version !== null && { nextVersion: current.version }) }
  const counted = countNegativeWithTrait(basis.trait, answers)
  if (counted.n < minAnswers) return { ...tried, result: 'too-few-answers' }
  const { difference, low, high } = differenceInterval(counted, basis)
  const change = difference * basis.answers
  // Adding 0 turns -0 into 0.
  const perMonth = (share: number) => Math.round(share * basis.answers) + 0
  return {
    ...tried,
    seen: { change: perMonth(difference), low: perMonth(low), high: perMonth(high) },
    result:
      high < 0
        ? change <= predicted / 2
          ? 'worked'
          : 'less-than-predicted'
        : // As long as half of the predicted effect is still possible, more answers are needed.
          low * basis.answers > predicted / 2
          ? 'no-effect-seen'
          : 'too-few-answers',
  }
}

/**
 * The negative answers with the trait, among the answers whose content was not deleted. If the
 * trait is a version, all negative answers: they are compared with those to another version, which
 * never have the trait.
 */
function countNegativeWithTrait(trait: CommonTrait, answers: Observation[]): { count: number; n: number } {
  if ('version' in trait) return { count: answers.filter((one) => one.isNegative).length, n: answers.length }
  const known = answers.filter(({ hasContent }) => hasContent)
  return { count: known.filter((one) => one.isNegative && hasTrait(one, trait)).length, n: known.length }
}
