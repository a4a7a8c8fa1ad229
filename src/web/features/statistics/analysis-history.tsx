import type { AnalysisRun } from '../../../contract/feedback-analysis.ts'
import { pluralize } from '../../lib/count.ts'
import { formatTime, fullDate } from '../../lib/time.ts'
import { useNow } from '../../lib/use-now.ts'
import styles from './analysis-history.module.css'
import { verdictOf } from './analysis-result.tsx'

type Props = { runs: AnalysisRun[]; shownId: string | undefined; onShow: (analysisId: string) => void }

/** All runs, newest first; selecting one shows its result. */
export function AnalysisHistory({ runs, shownId, onShow }: Props) {
  const now = useNow()
  return (
    <>
      <h3>Runs</h3>
      <ol className={styles.runs}>
        {runs.map((run) => {
          const verdict = verdictOf(run)
          return (
            <li key={run.analysisId} className={verdict === 'Needs changes' ? styles.warn : undefined}>
              <button
                type="button"
                className="text-button"
                aria-current={run.analysisId === shownId}
                onClick={() => onShow(run.analysisId)}
              >
                {verdict}
                {run.status === 'completed' && `, ${pluralize(run.taskCount, 'answer')}`}
              </button>
              <time dateTime={run.createdAt} title={fullDate(run.createdAt)}>
                {formatTime(run.createdAt, now)}
              </time>
            </li>
          )
        })}
      </ol>
    </>
  )
}
