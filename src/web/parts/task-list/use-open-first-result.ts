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
 * Enter in the search field opens the first result once it is loaded, unless a result is open, or
 * the person has opened another task or searched for something else meanwhile.
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
    const isLeft = submitted.openId !== openId
    if (!isLeft && (submitted.q !== q || !isCurrent)) return
    setSubmitted(undefined)
    const [first] = rows
    if (!isLeft && first && !rows.some(({ taskId }) => taskId === openId)) onOpen(first.taskId)
  }, [isCurrent, onOpen, openId, q, rows, submitted])
  return (query) => setSubmitted(query === undefined ? undefined : { q: query, openId })
}
