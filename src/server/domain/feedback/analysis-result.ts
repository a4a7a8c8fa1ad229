import type { AnalysisFinding, AnalysisResult, NotSeparated } from '../../../contract/feedback-analysis.ts'
import type { AnalysisInput } from './analyst.ts'
import { describeVersion } from './describe-version.ts'
import { basisOf } from './earlier-advice.ts'
import type { Figures } from './figures.ts'
import type { Finding } from './finding.ts'
import { findChanges, reviewerFinding } from './findings.ts'
import { formatVerdict } from './format-figures.ts'
import { taskIdsOf } from './mark.ts'
import { shortName } from './sanitize.ts'

const maxTaskIds = 100

/** What the web app shows to people: the findings of the texts as data, and what only members see. Former members are not named. */
export function analysisResult(
  input: AnalysisInput,
  isMember: (reviewer: string) => boolean,
): AnalysisResult {
  const { figures } = input
  const quoted = (text: string) => `“${shortName(text)}”`
  const changes = findChanges(input, quoted)
  const reviewers = input.health.tooFew
    ? []
    : figures.reviewerEffects.filter(({ reviewer }) => isMember(reviewer)).map(reviewerFinding)
  return {
    verdict: formatVerdict(input, quoted),
    explanation: figures.current ? describeVersion(figures.current, quoted) : '',
    version: figures.current?.version ?? null,
    counts: { answered: figures.answers, timedOut: figures.timeouts, expired: figures.expired },
    findings: [...changes, ...reviewers].map((finding, i) => ({
      ...present(finding, figures),
      pairs: input.pairs?.[i] ?? [],
    })),
    notSeparated: notSeparated(input),
    earlierAdvice: input.earlierAdvice ?? [],
    actions: figures.actions.map(({ share: _, ...action }) => action),
  }
}

function present(finding: Finding, figures: Figures): Omit<AnalysisFinding, 'pairs'> {
  const { kind, title, evidence, advice, gain, mark, chart, quotes = [] } = finding
  const taskIds = taskIdsOf(finding, figures.observations)
  return {
    kind,
    title,
    evidence,
    advice,
    ...(gain !== undefined && gain >= 0.5 && { gain: Math.round(gain) }),
    ...(gain !== undefined && mark && { basis: basisOf(mark, figures) }),
    forMembersOnly: kind === 'reviewer',
    ...(chart && { chart }),
    quotes,
    taskCount: finding.theme?.negative ?? taskIds.length,
    taskIds: taskIds.slice(0, maxTaskIds),
  }
}

function notSeparated({ figures: { current, comparisons } }: AnalysisInput): NotSeparated[] {
  const from = current?.notSeparatedFrom ?? []
  const explainedBy = current?.explainedBy
  const found: NotSeparated[] = []
  if (from.includes('time'))
    found.push({
      title: 'The version and a change over time',
      text: 'The share of negative answers also changes evenly over the days, so the release need not be the cause. No version is recommended.',
      remedies: ['both-versions'],
    })
  if (from.includes('reviewer') || explainedBy === 'reviewer')
    found.push({
      title: 'The version and the reviewers',
      text:
        explainedBy === 'reviewer'
          ? 'Different people answered the versions, which explains the difference. Two answers to the same tasks would confirm it.'
          : 'Different people answered the versions, so a difference may come from them.',
      remedies: ['double-review', 'both-versions'],
    })
  const fields = from.filter((factor) => !['time', 'reviewer', 'weekend'].includes(factor))
  if (fields.length > 0)
    found.push({
      title: `The version and ${fields.map(shortName).join(', ')}`,
      text: 'These values changed together with the version, so a difference may come from them.',
      remedies: ['both-versions'],
    })
  if (comparisons.some(({ position }) => !position.known && position.why === 'the order was not random'))
    found.push({
      title: 'The candidates and their order',
      text: 'The order was not random, so it cannot be told whether a candidate wins because of its place.',
      remedies: ['blind'],
    })
  return found
}
