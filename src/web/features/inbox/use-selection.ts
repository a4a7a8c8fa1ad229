import { useMemo, useRef, useState } from 'react'
import { countedIn, hasOwnAnswer, isEnded, type ListedRow } from './listed-rows.ts'

/** By task id, the revision that the list showed when the row was selected. */
export type SelectedRevisions = ReadonlyMap<string, number>
const none: SelectedRevisions = new Map()

export type Selection = ReturnType<typeof useSelection>

/**
 * The rows selected for a bulk answer. A row that leaves the list, has ended, or that this person
 * has answered is deselected. `rows` are those shown; `listed` also has the rows that were just
 * answered, which are selected again if the answer is undone and the selection has not changed
 * meanwhile.
 */
export function useSelection(rows: ListedRow[], listed: ListedRow[]) {
  const [selected, setSelected] = useState(none)
  const anchor = useRef<string | undefined>(undefined)
  const kept = useMemo(() => selectedAmong(listed, selected), [listed, selected])
  if (kept.size < selected.size) setSelected(kept)
  const revisions = useMemo(() => selectedAmong(rows, kept), [rows, kept])

  function add(added: ListedRow[]) {
    const selectable = added.filter(isSelectable)
    setSelected(
      new Map([...selectable.map(({ taskId, revision }) => [taskId, revision] as const), ...revisions]),
    )
  }

  return {
    /**
     * The revisions of the selected tasks. A bulk answer applies to these, so that a revision that
     * arrives meanwhile is not answered unseen.
     */
    revisions,
    add,
    toggle(taskId: string) {
      anchor.current = taskId
      const next = new Map(revisions)
      const row = rows.find((other) => other.taskId === taskId)
      if (!next.delete(taskId) && row && isSelectable(row)) next.set(taskId, row.revision)
      setSelected(next)
    },
    /** Selects from the last toggled row to this one. */
    extendTo(taskId: string) {
      const to = rows.findIndex((row) => row.taskId === taskId)
      const toggled = rows.findIndex((row) => row.taskId === anchor.current)
      // If no row was toggled, or it has left the list, only this one is selected.
      const from = toggled < 0 ? to : toggled
      add(rows.slice(Math.max(0, Math.min(from, to)), Math.max(from, to) + 1))
    },
    /**
     * Selects all rows except those that wait for the agent, have ended, or were answered by this
     * person.
     */
    addAll() {
      add(rows.filter((row) => countedIn(row) !== 'waiting'))
    },
    clear() {
      anchor.current = undefined
      setSelected(none)
    },
  }
}

const isSelectable = (row: ListedRow) => !isEnded(row) && !hasOwnAnswer(row)

function selectedAmong(rows: ListedRow[], selected: SelectedRevisions): SelectedRevisions {
  if (selected.size === 0) return none
  const listedIds = new Set(rows.filter(isSelectable).map(({ taskId }) => taskId))
  return new Map([...selected].filter(([taskId]) => listedIds.has(taskId)))
}
