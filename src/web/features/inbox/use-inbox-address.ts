import { useNavigate, useParams, useSearch } from '@tanstack/react-router'
import { useCallback, useMemo } from 'react'
import { useWorkspace } from '../../lib/person.ts'
import { type InboxFilters, readFilters } from '../../parts/task-list/inbox-filters.ts'

/** The open task and the filters, as the address names them, and how to change both. */
export function useInboxAddress() {
  const { workspaceId } = useWorkspace()
  const navigate = useNavigate()
  const { taskId } = useParams({ strict: false })
  // Equal filters stay the same object, so that the list is not loaded again.
  const address = JSON.stringify(readFilters(useSearch({ from: '/w/$workspaceId/inbox' })))
  const filters: InboxFilters = useMemo(() => JSON.parse(address), [address])

  const openTask = useCallback(
    (id: string | undefined, replace = false) =>
      void (id
        ? navigate({
            to: '/w/$workspaceId/inbox/$taskId',
            params: { workspaceId, taskId: id },
            search: true,
            replace,
          })
        : navigate({ to: '/w/$workspaceId/inbox', params: { workspaceId }, search: true, replace })),
    [navigate, workspaceId],
  )
  const setFilters = (changed: InboxFilters, replace = false) =>
    void navigate({ to: '.', search: changed, replace })
  /** The task may be in another workspace: answers are kept for all of them. */
  const openTaskIn = (task: { workspaceId: string; taskId: string }) =>
    void navigate({
      to: '/w/$workspaceId/inbox/$taskId',
      params: { workspaceId: task.workspaceId, taskId: task.taskId },
      search: true,
    })

  return { taskId, filters, openTask, openTaskIn, setFilters }
}
