import { ChevronDown, ChevronLeft, ChevronUp, Link } from 'lucide-react'
import { type ReactNode, useRef } from 'react'
import type { TaskRecord } from '../../../contract/task.ts'
import { useShortcuts } from '../../lib/shortcuts.ts'
import { bidiSafe } from '../../ui/bidi-safe.tsx'
import { CopyButton } from '../../ui/copy-button.tsx'
import { Icon } from '../../ui/icon.tsx'
import styles from './task-bar.module.css'

type Props = {
  task: TaskRecord | undefined
  position: string | undefined
  onPrevious: (() => void) | undefined
  onNext: (() => void) | undefined
  onBack: () => void
  /** At the end. Not imported, because the placeholder of a task loads with the list. */
  children?: ReactNode
}

export function TaskBar({ task, position, onPrevious, onNext, onBack, children }: Props) {
  const copyLink = useRef<HTMLButtonElement>(null)
  // Clicks the button, which shows the confirmation.
  useShortcuts({ l: () => copyLink.current?.click() })

  return (
    <div className="bar">
      <button type="button" className="btn square narrow-only" aria-label="Back to the list" onClick={onBack}>
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
        disabled={!onPrevious}
        onClick={onPrevious}
      >
        <Icon of={ChevronUp} />
      </button>
      <button
        type="button"
        className="btn square"
        aria-label="Next task (J)"
        disabled={!onNext}
        onClick={onNext}
      >
        <Icon of={ChevronDown} />
      </button>
      <CopyButton
        ref={copyLink}
        className="btn square"
        label="Copy link (L)"
        text={() => location.href}
        icon={Link}
      />
      {children}
    </div>
  )
}
