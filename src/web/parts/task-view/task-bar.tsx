import { ChevronDown, ChevronLeft, ChevronUp } from 'lucide-react'
import type { ReactNode } from 'react'
import type { TaskRecord } from '../../../contract/task.ts'
import { bidiSafe } from '../../ui/bidi-safe.tsx'
import { Icon } from '../../ui/icon.tsx'
import { useKeyHint } from '../../ui/key-cap.tsx'
import styles from './task-bar.module.css'

type Props = {
  /** Undefined until it is loaded. */
  task: TaskRecord | undefined
  position: string | undefined
  onPrevious: (() => void) | undefined
  onNext: (() => void) | undefined
  onBack: () => void
  /**
   * Buttons at the end, passed in because importing them would load them with the list, as part of
   * the placeholder.
   */
  children?: ReactNode
}

export function TaskBar({ task, position, onPrevious, onNext, onBack, children }: Props) {
  const previousHint = useKeyHint('Previous task', 'K')
  const nextHint = useKeyHint('Next task', 'J')
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
        {...previousHint}
        disabled={!onPrevious}
        onClick={onPrevious}
      >
        <Icon of={ChevronUp} />
      </button>
      <button type="button" className="btn square" {...nextHint} disabled={!onNext} onClick={onNext}>
        <Icon of={ChevronDown} />
      </button>
      {children}
    </div>
  )
}
