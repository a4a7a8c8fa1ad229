import { Suspense } from 'react'
import type { AnalysisDetail, AnalysisRun } from '../../../../contract/feedback-analysis.ts'
import { bidiSafe } from '../../../ui/bidi-safe.tsx'
import { onDemandPart } from '../../../ui/lazy-part.tsx'
import { Skeleton } from '../../../ui/skeleton.tsx'
import { hasTooFewAnswers, NoResult, RunLine } from '../run-state.tsx'
import { AgentInstructions } from './agent-instructions.tsx'
import { describeCounts } from './describe-result.ts'
import { EarlierAdvice } from './earlier-advice.tsx'
import { FindingCard } from './finding-card.tsx'
import { Fold } from './fold.tsx'
import { Inconclusive } from './inconclusive.tsx'
import styles from './run-report.module.css'

const AnalysisText = onDemandPart(() => import('./analysis-text.tsx'))

type Props = {
  run: AnalysisDetail
  /** Only the cases of the newest completed run can be exported. */
  isLatest: boolean
}

/**
 * A run that has ended: its verdict, findings, causes that the answers can't tell apart, and
 * earlier advice.
 */
export function RunReport({ run, isLatest }: Props) {
  const { status, result, summary } = run
  const hasTexts = summary !== ''
  return (
    <>
      <Verdict run={run} isLatest={isLatest} />
      {result && (
        <>
          {result.findings.length > 0 && (
            <section aria-label="Findings">
              {result.findings.map((finding, n) => (
                <FindingCard key={n} number={n + 1} finding={finding} />
              ))}
            </section>
          )}
          {result.inconclusive.length > 0 && <Inconclusive run={run} causePairs={result.inconclusive} />}
          {result.earlierAdvice.length > 0 && <EarlierAdvice advice={result.earlierAdvice} />}
        </>
      )}
      {status === 'completed' &&
        hasTexts &&
        (result ? (
          <div className={styles.fullText}>
            <Fold label="Full text" className="btn small">
              <Texts run={run} />
            </Fold>
          </div>
        ) : (
          <Texts run={run} />
        ))}
    </>
  )
}

function Verdict({ run, isLatest }: Props) {
  const { status, result, message, note, summary, agentInstructions, app, type } = run
  const hasCases = result?.findings.some(
    ({ forMembersOnly, taskPairs }) => !forMembersOnly && taskPairs.length > 0,
  )
  return (
    <section className={styles.verdict} aria-label="Verdict">
      <RunLine run={run} />
      {status === 'failed' && <NoResult run={run} />}
      {result ? (
        <>
          <h2>{bidiSafe(result.verdict)}</h2>
          <p className={styles.intro}>
            {result.explanation && <>{bidiSafe(result.explanation)} </>}
            {describeCounts(result.counts)}
          </p>
        </>
      ) : (
        // Once the texts are deleted, the message says only that they were. So does the next
        // paragraph.
        hasTooFewAnswers(run) && summary !== '' && <p className={styles.intro}>{message}</p>
      )}
      {status === 'completed' && summary === '' && (
        <p className={styles.intro}>The texts of this analysis were deleted after the retention period.</p>
      )}
      {note && <p className={styles.intro}>{bidiSafe(note)}</p>}
      {agentInstructions !== '' && (
        <AgentInstructions
          text={agentInstructions}
          casesOf={isLatest && hasCases ? { app, type } : undefined}
        />
      )}
    </section>
  )
}

function Texts({ run: { summary, recommendation } }: { run: AnalysisRun }) {
  return (
    <Suspense fallback={<Skeleton className="above-16" height="10rem" />}>
      <div className={styles.texts}>
        <h2>Summary</h2>
        <AnalysisText text={summary} />
        <h2>Recommendations</h2>
        <AnalysisText text={recommendation} />
      </div>
    </Suspense>
  )
}
