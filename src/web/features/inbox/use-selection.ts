import { useMemo, useRef, useState } from 'react'
import { isEnded, type ListedRow } from './listed-rows.ts'

const none: ReadonlySet<string> = new Set()

export type Selection = ReturnType<typeof useSelection>

/** The rows selected for a bulk answer. A row that leaves the list is deselected. */
export function useSelection(rows: ListedRow[]) {
  const [selected, setSelected] = useState(none)
  const anchor = useRef<string | undefined>(undefined)
  const ids = useMemo(
    () =>
      selected.size === 0
        ? none
        : new Set(rows.filter(({ taskId }) => selected.has(taskId)).map(({ taskId }) => taskId)),
    [selected, rows],
  )

  function add(taskIds: string[]) {
    setSelected(new Set([...ids, ...taskIds]))
  }

  return {
    ids,
    add,
    toggle(taskId: string) {
      anchor.current = taskId
      const next = new Set(ids)
      if (!next.delete(taskId)) next.add(taskId)
      setSelected(next)
    },
    /** Selects from the last toggled row to this one. */
    extendTo(taskId: string) {
      const from = rows.findIndex((row) => row.taskId === (anchor.current ?? taskId))
      const to = rows.findIndex((row) => row.taskId === taskId)
      const between = rows.slice(Math.max(0, Math.min(from, to)), Math.max(from, to) + 1)
      add(between.filter((row) => !isEnded(row)).map((row) => row.taskId))
    },
    addAll() {
      add(rows.filter((row) => !isEnded(row)).map((row) => row.taskId))
    },
    clear() {
      anchor.current = undefined
      setSelected(none)
    },
  }
}
