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

/**
 * Returns the handler for Enter in the search field. It opens the first result once the results are
 * loaded, unless one of them is already open, or the person has meanwhile opened another task or
 * searched for something else.
 */
export function useOpenFirstResult({
  q,
  isCurrent,
  rows,
  openId,
  onOpen,
}: List): (q: string | undefined) => void {
  const [submitted, setSubmitted] = useState<{ q: string | undefined; openId: string | undefined }>()
  useEffect(() => setSubmitted((before) => (before?.q === q ? before : undefined)), [q])
  useEffect(() => {
    if (!submitted) return
    const hasOpenedOther = submitted.openId !== openId
    if (!hasOpenedOther && (submitted.q !== q || !isCurrent)) return
    setSubmitted(undefined)
    const [first] = rows
    if (!hasOpenedOther && first && !rows.some(({ taskId }) => taskId === openId)) onOpen(first.taskId)
  }, [isCurrent, onOpen, openId, q, rows, submitted])
  return (query) => setSubmitted(query === undefined ? undefined : { q: query, openId })
}
