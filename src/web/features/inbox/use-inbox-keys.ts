import { useShortcuts } from '../../lib/shortcuts.ts'
import { useIsPhone } from '../../lib/use-is-phone.ts'
import type { InboxFilters } from '../../parts/task-list/inbox-filters.ts'
import { leaveField } from '../../parts/task-list/use-list-navigation.ts'
import type { ListedRow } from './listed-rows.ts'
import type { Selection } from './use-selection.ts'

type Options = {
  rows: ListedRow[]
  taskId: string | undefined
  /** Index of the displayed task in `rows`, or -1. */
  position: number
  selection: Selection
  filters: InboxFilters
  step: (event: KeyboardEvent, by: 1 | -1) => void
  isInList: (event: KeyboardEvent) => boolean
  focusList: () => void
  onClose: () => void
  onFilter: (filters: InboxFilters) => void
}

/**
 * The keys that select rows, and Escape, which leaves the field, clears the selection, closes the task
 * (on a phone) or ends the search, whichever comes first in this order.
 */
export function useInboxKeys(options: Options): void {
  const { rows, taskId, position, selection, filters, step, isInList, focusList, onClose, onFilter } = options
  const isPhone = useIsPhone()

  function extend(event: KeyboardEvent, by: 1 | -1) {
    // No task is displayed, so there is nothing to extend up from.
    if (position < 0 && by < 0) return
    const next = rows[position < 0 ? 0 : position + by]
    selection.add([rows[position], next].filter((row) => row !== undefined))
    step(event, by)
  }

  useShortcuts({
    x: () => (position >= 0 && taskId ? selection.toggle(taskId) : undefined),
    'Shift+j': (event) => extend(event, 1),
    'Shift+k': (event) => extend(event, -1),
    '$mod+a': (event) => {
      if (!isInList(event)) return
      event.preventDefault()
      selection.addAll()
    },
    Escape: (event) => {
      if (taskId && leaveField(event)) return undefined
      if (selection.revisions.size > 0) return selection.clear()
      if (isPhone && taskId) return onClose()
      if (filters.q !== undefined && isInList(event)) onFilter({ ...filters, q: undefined })
      focusList()
    },
  })
}
