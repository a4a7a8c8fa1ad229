import { Link } from '@tanstack/react-router'
import type { AnalysisFinding } from '../../../../contract/feedback-analysis.ts'
import { useWorkspace } from '../../../lib/workspace.ts'
import { bidiSafe } from '../../../ui/bidi-safe.tsx'
import styles from './quotes.module.css'

/** What people wrote, each with a link to its task. */
export function Quotes({ quotes }: { quotes: AnalysisFinding['quotes'] }) {
  const { workspaceId } = useWorkspace()
  if (quotes.length === 0) return null
  return (
    <ul className={styles.quotes}>
      {quotes.map(({ taskId, text }, n) => (
        <li key={n}>
          “<bdi>{bidiSafe(text)}</bdi>”{' '}
          <Link className="link" to="/w/$workspaceId/handled/$taskId" params={{ workspaceId, taskId }}>
            task
          </Link>
        </li>
      ))}
    </ul>
  )
}
