import { Link } from '@tanstack/react-router'
import { type ReactNode, useState } from 'react'
import type { AnalysisFinding, TaskPair } from '../../../../contract/feedback-analysis.ts'
import { pluralize } from '../../../lib/count.ts'
import { useWorkspace } from '../../../lib/workspace.ts'
import { tasksLabel } from './describe-result.ts'
import styles from './finding-folds.module.css'
import { Quotes } from './quotes.tsx'
import { SimilarTasks } from './similar-tasks.tsx'

type Props = { finding: AnalysisFinding; moreQuotes: AnalysisFinding['quotes']; morePairs: TaskPair[] }

/**
 * Up to three buttons, each of which opens a list: the tasks of the finding, the pairs of similar
 * tasks that the card leaves out, or the quotes that it leaves out. At most one list is open.
 */
export function FindingFolds({ finding, moreQuotes, morePairs }: Props) {
  const [openLabel, setOpenLabel] = useState<string>()
  const folds: [label: string, content: ReactNode][] = []
  if (finding.taskIds.length > 0)
    folds.push([tasksLabel(finding), <TaskLinks key="tasks" finding={finding} />])
  if (morePairs.length > 0)
    folds.push([
      `Compare ${pluralize(morePairs.length, 'more pair')}`,
      morePairs.map((pair) => <SimilarTasks key={pair.negative.taskId} pair={pair} />),
    ])
  if (moreQuotes.length > 0)
    folds.push([pluralize(moreQuotes.length, 'more quote'), <Quotes key="quotes" quotes={moreQuotes} />])
  if (folds.length === 0) return null
  return (
    <>
      <div className={styles.buttons}>
        {folds.map(([label]) => (
          <button
            key={label}
            type="button"
            className="link"
            aria-expanded={label === openLabel}
            onClick={() => setOpenLabel(label === openLabel ? undefined : label)}
          >
            {label}
          </button>
        ))}
      </div>
      {folds.find(([label]) => label === openLabel)?.[1]}
    </>
  )
}

function TaskLinks({ finding: { title, taskIds } }: { finding: AnalysisFinding }) {
  const { workspaceId } = useWorkspace()
  return (
    <ul className={styles.tasks} aria-label={`Tasks: ${title}`}>
      {taskIds.map((taskId) => (
        <li key={taskId}>
          <Link className="link mono" to="/w/$workspaceId/handled/$taskId" params={{ workspaceId, taskId }}>
            {taskId}
          </Link>
        </li>
      ))}
    </ul>
  )
}
