import { useEffect, useState } from 'react'

type List = {
  /** The search text of the list. */
  q: string | undefined
  /** The rows are results of `q`, not of a previous search. */
  isCurrent: boolean
  rows: { taskId: string }[]
  displayedId: string | undefined
  onOpen: (taskId: string) => void
}

/**
 * Returns the handler for Enter in the search field. It opens the first result once the results are
 * loaded, unless one of them is already displayed, or the person has meanwhile opened another
 * task or searched for something else.
 */
export function useOpenFirstResult({
  q,
  isCurrent,
  rows,
  displayedId,
  onOpen,
}: List): (q: string | undefined) => void {
  const [submitted, setSubmitted] = useState<{ q: string | undefined; displayedId: string | undefined }>()
  useEffect(() => setSubmitted((before) => (before?.q === q ? before : undefined)), [q])
  useEffect(() => {
    if (!submitted) return
    const hasOpenedOther = submitted.displayedId !== displayedId
    if (!hasOpenedOther && (submitted.q !== q || !isCurrent)) return
    setSubmitted(undefined)
    const [first] = rows
    if (!hasOpenedOther && first && !rows.some(({ taskId }) => taskId === displayedId)) onOpen(first.taskId)
  }, [isCurrent, onOpen, displayedId, q, rows, submitted])
  return (query) => setSubmitted(query === undefined ? undefined : { q: query, displayedId })
}
