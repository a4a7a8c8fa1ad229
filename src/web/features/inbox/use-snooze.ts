import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef } from 'react'
import type { TaskRecord } from '../../../contract/task.ts'
import { asProblem } from '../../lib/problem.ts'
import { formatTime } from '../../lib/time.ts'
import { useWorkspace } from '../../lib/workspace.ts'
import type { Undoable } from '../../parts/answers/undo-entries.tsx'
import { useNotice } from '../../parts/answers/use-notice.ts'
import type { InboxFilters } from '../../parts/task-list/inbox-filters.ts'
import { taskQuery } from '../../parts/task-view/task-query.ts'
import { type ListedRow, nextTask } from './listed-rows.ts'
import type { Inbox } from './use-inbox.ts'

// The preference for undoing answers does not apply here, because it also delays when they are sent. A
// snooze is sent at once, and undoing it sends another request.
const undoMilliseconds = 8_000

type Options = {
  inbox: Inbox
  filters: InboxFilters
  rows: ListedRow[]
  taskId: string | undefined
  openTask: (taskId: string | undefined, options?: { replace?: boolean }) => void
  focusList: () => void
}

/**
 * Removes a snoozed task from the list, opens the next task, and offers for a few seconds to undo
 * the snooze.
 */
export function useSnooze(options: Options) {
  const { api, me, workspaceId } = useWorkspace()
  const queryClient = useQueryClient()
  // The service may respond when another task is displayed.
  const latest = useRef(options)
  latest.current = options
  const isShown = useRef(true)
  useEffect(() => {
    isShown.current = true
    return () => {
      isShown.current = false
    }
  }, [])
  const [undoable, setUndoable] = useNotice<Undoable>(undoMilliseconds)

  async function undo(task: TaskRecord) {
    setUndoable(undefined)
    const displayedId = latest.current.taskId
    const { taskId, name: taskName } = task
    try {
      await api.unsnoozeTask(taskId)
    } catch (thrown) {
      const description = `The task is still snoozed. ${asProblem(thrown).detail}`
      setUndoable({ taskName, description, at: Date.now(), onUndo: () => void undo(task) })
      return
    }
    void queryClient.invalidateQueries({ queryKey: taskQuery(api, workspaceId, taskId).queryKey })
    await latest.current.inbox.reload()
    // The person has opened another task or page meanwhile.
    if (!isShown.current || latest.current.taskId !== displayedId) return
    latest.current.openTask(taskId)
    latest.current.focusList()
  }

  return {
    undoable,
    onSnoozed(task: TaskRecord, until: string) {
      // The person has left the inbox, which loads again when they return.
      if (!isShown.current) return
      const { inbox, filters, rows, taskId, openTask, focusList } = latest.current
      // These lists also show snoozed tasks.
      if (filters.snoozed || filters.q !== undefined) void inbox.reload()
      else {
        inbox.change({ kind: 'snoozed', taskId: task.taskId, until })
        // Something may have happened to the task since, and its event may have arrived before this
        // response.
        void inbox.refresh()
      }
      if (taskId === task.taskId && !filters.snoozed)
        openTask(nextTask(rows, taskId, me.person.userId, Date.now()), { replace: true })
      focusList()
      const description = `Snoozed until ${formatTime(until, Date.now())}`
      setUndoable({ taskName: task.name, description, at: Date.now(), onUndo: () => void undo(task) })
    },
    onUnsnoozed: () => void latest.current.inbox.reload(),
  }
}
