import { ArrowDown, Lock } from 'lucide-react'
import type { AnalysisFinding } from '../../../../contract/feedback-analysis.ts'
import { bidiSafe } from '../../../ui/bidi-safe.tsx'
import { Icon } from '../../../ui/icon.tsx'
import { describeGain } from './describe-result.ts'
import styles from './finding-card.module.css'
import { FindingChart } from './finding-chart.tsx'
import { FindingFolds } from './finding-folds.tsx'
import { Quotes } from './quotes.tsx'
import { SimilarTasks } from './similar-tasks.tsx'

// A button opens a list of the other quotes.
const shownQuotes = 2

/** One finding: the gain to expect, what to change, the evidence, quotes, and its tasks. */
export function FindingCard({ number, finding }: { number: number; finding: AnalysisFinding }) {
  const { title, advice, evidence, gain, isGainAnUpperLimit, forMembersOnly, chart, quotes, taskPairs } =
    finding
  const firstPair = taskPairs[0]
  return (
    <article className={styles.finding} aria-labelledby={`finding-${number}`}>
      <span className={styles.number} aria-hidden="true">
        {number}
      </span>
      <div className={styles.text}>
        {forMembersOnly && (
          <p className={styles.membersOnly}>
            <Icon of={Lock} />
            Only members see this. It isn't in the agent instructions.
          </p>
        )}
        {gain !== undefined && (
          <p className={styles.gain}>
            <Icon of={ArrowDown} />
            {describeGain(gain, isGainAnUpperLimit)}
          </p>
        )}
        <h3 id={`finding-${number}`}>
          <bdi>{bidiSafe(title)}</bdi>
        </h3>
        <p className={styles.change}>{bidiSafe(advice)}</p>
        <p className={styles.evidence}>{bidiSafe(evidence)}</p>
        <Quotes quotes={quotes.slice(0, shownQuotes)} />
        {firstPair && <SimilarTasks pair={firstPair} />}
        <FindingFolds
          finding={finding}
          moreQuotes={quotes.slice(shownQuotes)}
          morePairs={taskPairs.slice(1)}
        />
      </div>
      {chart && <FindingChart chart={chart} />}
    </article>
  )
}
