import type { ReactNode } from 'react'
import { formatFullDate, formatTime } from '../../../lib/time.ts'
import { useNow } from '../../../lib/use-now.ts'
import { bidiSafe } from '../../../ui/bidi-safe.tsx'
import styles from './message-head.module.css'

type Props = {
  mark: ReactNode
  author: string
  title?: string | undefined
  at: string
  /** What the author did. */
  children: ReactNode
}

/** The head of a conversation entry: who did what, and when. */
export function MessageHead({ mark, author, title, at, children }: Props) {
  const now = useNow()
  return (
    <div className={styles.head}>
      {mark}
      <b title={title}>
        <bdi>{bidiSafe(author)}</bdi>
      </b>
      {children}
      <time dateTime={at} title={formatFullDate(at)}>
        {formatTime(at, now)}
      </time>
    </div>
  )
}
