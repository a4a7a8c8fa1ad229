import { useEffect, useState } from 'react'

type List = {
  /** What the list was searched for. */
  q: string | undefined
  /** It shows what was found for that, and not what was listed before. */
  isCurrent: boolean
  rows: { taskId: string }[]
  openId: string | undefined
  onOpen: (taskId: string) => void
}

/** Enter in the search field: opens the first task that was found, as soon as it is known, unless one of them is open. */
export function useOpenFound({ q, isCurrent, rows, openId, onOpen }: List): (q: string | undefined) => void {
  const [wanted, setWanted] = useState<string>()
  useEffect(() => {
    if (wanted === undefined || wanted !== q || !isCurrent) return
    setWanted(undefined)
    const [first] = rows
    if (first && !rows.some(({ taskId }) => taskId === openId)) onOpen(first.taskId)
  }, [isCurrent, onOpen, openId, q, rows, wanted])
  return setWanted
}
