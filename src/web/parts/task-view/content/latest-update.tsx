import { ChevronDown } from 'lucide-react'
import { Suspense, useState } from 'react'
import type { TaskRecord } from '../../../../contract/task.ts'
import { classes } from '../../../lib/classes.ts'
import { pluralize } from '../../../lib/count.ts'
import { bidiSafe } from '../../../ui/bidi-safe.tsx'
import { Icon } from '../../../ui/icon.tsx'
import { onDemandPart } from '../../../ui/lazy-part.tsx'
import taskStyles from '../task.module.css'
import styles from './latest-update.module.css'

const Timeline = onDemandPart(async () => ({ default: (await import('./timeline.tsx')).Timeline }))

/** Every update has a message; if it is missing, it was deleted. */
function messageText({ message }: { message?: string | undefined }) {
  return message ? bidiSafe(message) : 'Message deleted'
}

/** The agent's latest update of the thread; expands to the timeline of the thread. */
export function LatestUpdate({ task }: { task: TaskRecord }) {
  const [isOpen, setOpen] = useState(false)
  const updates = task.updates ?? []
  const latest = task.latestUpdate
  const continuesThread = task.threadId !== task.taskId
  if (!latest && !continuesThread) return null

  return (
    <div className={`${taskStyles.sectionDot} ${styles.updates}`}>
      <button type="button" className={styles.status} aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
        {updates.length > 0 && (
          <span className={styles.levels} aria-hidden="true">
            {updates.slice(-4).map((update, n) => (
              <span key={update.updateId} className="contents">
                {n > 0 && <i className={styles.connector} />}
                <i
                  className={classes(
                    taskStyles.level,
                    taskStyles[update.level],
                    styles.level,
                    styles[update.level],
                  )}
                />
              </span>
            ))}
          </span>
        )}
        <span className={styles.text}>{latest ? messageText(latest) : 'Part of a thread'}</span>
        {latest?.progress !== undefined && <span className="num">{Math.round(latest.progress)} %</span>}
        {updates.length > 0 && (
          <span className="num wide-only nowrap">{pluralize(updates.length, 'update')}</span>
        )}
        <Icon of={ChevronDown} />
      </button>
      {/* Outside the button, because live regions inside a button are not announced. */}
      <span className="sr-only" role="status">
        {latest && messageText(latest)}
      </span>
      {isOpen && (
        <Suspense>
          <Timeline task={task} />
        </Suspense>
      )}
    </div>
  )
}
