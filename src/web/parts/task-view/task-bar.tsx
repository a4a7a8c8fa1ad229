import { ChevronDown, ChevronLeft, ChevronUp, Link } from 'lucide-react'
import { type ReactNode, useRef } from 'react'
import type { TaskRecord } from '../../../contract/task.ts'
import { basePath } from '../../lib/base-path.ts'
import { useShortcuts } from '../../lib/shortcuts.ts'
import { useWorkspace } from '../../lib/workspace.ts'
import { bidiSafe } from '../../ui/bidi-safe.tsx'
import { CopyButton } from '../../ui/copy-button.tsx'
import { Icon } from '../../ui/icon.tsx'
import styles from './task-bar.module.css'

type Props = {
  /** Undefined while the person steps through the list. */
  taskId?: string
  task: TaskRecord | undefined
  position: string | undefined
  onPrevious: (() => void) | undefined
  onNext: (() => void) | undefined
  onBack: () => void
  /** At the end. Not imported, because the placeholder of a task loads with the list. */
  children?: ReactNode
}

export function TaskBar({ taskId, task, position, onPrevious, onNext, onBack, children }: Props) {
  const { workspaceId } = useWorkspace()
  const copyLink = useRef<HTMLButtonElement>(null)
  // Clicks the button, which shows the confirmation.
  useShortcuts({ l: () => copyLink.current?.click() })

  return (
    <div className="bar">
      <button
        type="button"
        className="btn square narrow-only"
        aria-label="Back to the list"
        title="Back to the list"
        onClick={onBack}
      >
        <Icon of={ChevronLeft} />
      </button>
      <div className={`grow ${styles.crumb}`}>
        {task && (
          <>
            <bdi>{bidiSafe(task.app)}</bdi>
            <span className={styles.sep}>/</span>
            <bdi>{task.type}</bdi>
          </>
        )}
      </div>
      {position && <span className={`num ${styles.position}`}>{position}</span>}
      <button
        type="button"
        className="btn square"
        aria-label="Previous task (K)"
        title="Previous task (K)"
        disabled={!onPrevious}
        onClick={onPrevious}
      >
        <Icon of={ChevronUp} />
      </button>
      <button
        type="button"
        className="btn square"
        aria-label="Next task (J)"
        title="Next task (J)"
        disabled={!onNext}
        onClick={onNext}
      >
        <Icon of={ChevronDown} />
      </button>
      <CopyButton
        ref={copyLink}
        className="btn square"
        label="Copy link (L)"
        text={() => linkTo(workspaceId, taskId, task)}
        isDisabled={!taskId}
        icon={Link}
      />
      {children}
    </div>
  )
}

/** Not the address of the page, which may still be that of the previous task and contains the person's filters. */
function linkTo(workspaceId: string, taskId: string | undefined, task: TaskRecord | undefined): string {
  const page = task && task.status !== 'open' ? 'handled' : 'inbox'
  return `${location.origin}${basePath}/w/${workspaceId}/${page}/${taskId}`
}
