import type { AnalysisFinding, AnalysisResult, Inconclusive } from '../../../contract/feedback-analysis.ts'
import type { AnalysisInput } from './analyst.ts'
import { taskIdsOf } from './common-trait.ts'
import { describeVersion } from './describe-version.ts'
import { basisOf } from './earlier-advice.ts'
import type { Figures } from './figures.ts'
import type { Finding } from './finding.ts'
import { deriveFindings, reviewerFinding } from './findings.ts'
import { formatVerdict } from './format-figures.ts'
import { shortName } from './sanitize.ts'

const maxTaskIds = 100

/**
 * What the web app shows: the findings that the texts describe as data, and findings about
 * reviewers, which only members see. Findings about former members are left out.
 */
export function analysisResult(
  input: AnalysisInput,
  isMember: (reviewer: string) => boolean,
): AnalysisResult {
  const { figures } = input
  const quoted = (text: string) => `“${shortName(text)}”`
  const findings = deriveFindings(input, quoted)
  const reviewerFindings = input.health.tooFew
    ? []
    : figures.reviewerEffects
        .filter(({ reviewer }) => isMember(reviewer))
        .map((effect) => reviewerFinding(effect, quoted))
  return {
    verdict: formatVerdict(input, quoted),
    explanation: figures.current ? describeVersion(figures.current, quoted) : '',
    version: figures.current?.version ?? null,
    counts: { answered: figures.answers, timedOut: figures.timeouts, expired: figures.expired },
    findings: [...findings, ...reviewerFindings].map((finding, i) => ({
      ...present(finding, figures),
      taskPairs: input.taskPairs?.[i] ?? [],
    })),
    inconclusive: findInconclusive(input),
    earlierAdvice: input.earlierAdvice ?? [],
    actions: figures.actions.map(({ share: _, ...action }) => action),
  }
}

function present(finding: Finding, figures: Figures): Omit<AnalysisFinding, 'taskPairs'> {
  const { kind, title, evidence, advice, gain, isGainAnUpperLimit, trait, chart, quotes = [] } = finding
  const taskIds = taskIdsOf(finding, figures.observations)
  return {
    kind,
    title,
    evidence,
    advice,
    // The gain of a candidate is a number of decisions, not of negative answers.
    ...(gain !== undefined && gain >= 0.5 && kind !== 'candidate' && { gain: Math.round(gain) }),
    ...(isGainAnUpperLimit && { isGainAnUpperLimit }),
    ...(gain !== undefined && trait && { basis: basisOf(trait, figures) }),
    forMembersOnly: kind === 'reviewer',
    ...(chart && { chart }),
    quotes,
    taskCount: finding.theme?.negative ?? taskIds.length,
    taskIds: taskIds.slice(0, maxTaskIds),
  }
}

/** The causes that the answers cannot distinguish. */
function findInconclusive({ figures: { current, comparisons } }: AnalysisInput): Inconclusive[] {
  const from = current?.notSeparatedFrom ?? []
  const differsByReviewer = current?.explainedBy === 'reviewer'
  const found: Inconclusive[] = []
  if (from.includes('time'))
    found.push({
      title: 'The version and a change over time',
      text: 'A steady change over the days explains the answers about as well as the release. No version is recommended.',
      remedies: ['both-versions'],
    })
  if (from.includes('reviewer') || differsByReviewer)
    found.push({
      title: 'The version and the reviewers',
      text:
        differsByReviewer && current.verdict === 'explained'
          ? 'Different people answered the versions, which explains the difference. Two answers to the same tasks would confirm it.'
          : 'Different people answered the versions, so a difference may come from them.',
      remedies: ['double-review', 'both-versions'],
    })
  const fields = from.filter((factor) => factor !== 'time' && factor !== 'reviewer')
  if (fields.length > 0)
    found.push({
      title: `The version and ${fields.map((field) => (field === 'weekend' ? 'the mix of weekdays and weekends' : shortName(field))).join(', ')}`,
      text: 'This changed together with the version, so a difference may come from it.',
      remedies: ['both-versions'],
    })
  if (comparisons.some(({ position }) => !position.known && position.why === 'order-not-random'))
    found.push({
      title: 'The candidates and their order',
      text: 'The order was not random, so it cannot be told whether a candidate wins because of its place.',
      remedies: ['blind'],
    })
  return found
}
