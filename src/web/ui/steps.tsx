import { Check } from 'lucide-react'
import type { ReactNode } from 'react'
import { classes } from '../lib/classes.ts'
import { Icon } from './icon.tsx'
import styles from './steps.module.css'

/** Numbered steps of a set-up, connected by a line. */
export function Steps({ children }: { children: ReactNode }) {
  return <ol className={styles.steps}>{children}</ol>
}

type StepProps = {
  n: number
  title: string
  isDone: boolean
  /** The step can be done now. */
  isHighlighted: boolean
  children: ReactNode
}

export function Step({ n, title, isDone, isHighlighted, children }: StepProps) {
  return (
    <li className={classes(styles.step, isDone ? styles.done : isHighlighted && styles.highlighted)}>
      <span className={styles.number}>
        {isDone ? (
          <>
            <Icon of={Check} />
            <span className="sr-only">Done</span>
          </>
        ) : (
          n
        )}
      </span>
      <h2>{title}</h2>
      {children}
    </li>
  )
}
