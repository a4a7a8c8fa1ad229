import { useEffect, useState } from 'react'

type List = {
  /** The search text of the list. */
  q: string | undefined
  /** The rows are results of `q`, not of a previous search. */
  isCurrent: boolean
  rows: { taskId: string }[]
  openId: string | undefined
  onOpen: (taskId: string) => void
}

/** Enter in the search field opens the first result once it is loaded, unless a result is open. */
export function useOpenFirstResult({
  q,
  isCurrent,
  rows,
  openId,
  onOpen,
}: List): (q: string | undefined) => void {
  const [submittedQuery, setSubmittedQuery] = useState<string>()
  useEffect(() => {
    if (submittedQuery === undefined || submittedQuery !== q || !isCurrent) return
    setSubmittedQuery(undefined)
    const [first] = rows
    if (first && !rows.some(({ taskId }) => taskId === openId)) onOpen(first.taskId)
  }, [isCurrent, onOpen, openId, q, rows, submittedQuery])
  return setSubmittedQuery
}
