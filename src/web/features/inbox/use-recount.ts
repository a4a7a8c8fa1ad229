import { type Dispatch, useEffect, useRef, useState } from 'react'
import type { InboxPage } from '../../../contract/inbox.ts'
import type { InboxChange } from './change-inbox.ts'
import type { InboxState } from './inbox-state.ts'

type Options = Pick<InboxState, 'areCountsUnsure' | 'counts'> & {
  /** A different function after the filters have changed, which restarts the delay. */
  load: (cursor: undefined, limit: number) => Promise<InboxPage>
  change: Dispatch<InboxChange>
}

// Combines the events of a busy workspace.
const delayMilliseconds = 5_000

/** Fetches the counts from the service every few seconds while they are unsure. */
export function useRecount({ areCountsUnsure, counts, load, change }: Options): void {
  const [attempt, setAttempt] = useState(0)
  const latestCounts = useRef(counts)
  latestCounts.current = counts
  useEffect(() => {
    if (!areCountsUnsure) return undefined
    let isStopped = false
    const timer = setTimeout(async () => {
      const since = latestCounts.current
      const page = await load(undefined, 1).catch(() => undefined)
      if (isStopped) return
      if (page) change({ kind: 'recounted', page, since })
      setAttempt(attempt + 1)
    }, delayMilliseconds)
    return () => {
      isStopped = true
      clearTimeout(timer)
    }
  }, [areCountsUnsure, attempt, load, change])
}
