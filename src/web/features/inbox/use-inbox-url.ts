import { useNavigate, useParams, useSearch } from '@tanstack/react-router'
import { useCallback, useMemo } from 'react'
import { useWorkspace } from '../../lib/workspace.ts'
import { type InboxFilters, parseInboxFilters } from '../../parts/task-list/inbox-filters.ts'

/** The open task and the filters from the URL, and functions to change them. */
export function useInboxUrl() {
  const { workspaceId } = useWorkspace()
  const navigate = useNavigate()
  const { taskId } = useParams({ strict: false })
  // Memoized by content, so that equal filters do not reload the list.
  const filtersJson = JSON.stringify(parseInboxFilters(useSearch({ from: '/w/$workspaceId/inbox' })))
  const filters: InboxFilters = useMemo(() => JSON.parse(filtersJson), [filtersJson])

  const openTask = useCallback(
    (id: string | undefined, { replace = false }: { replace?: boolean } = {}) =>
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
  const setFilters = (changed: InboxFilters, { replace = false }: { replace?: boolean } = {}) =>
    void navigate({ to: '.', search: changed, replace })
  /** The answer queue spans all workspaces, so the task may be in another one. */
  const openInOwnWorkspace = (task: { workspaceId: string; taskId: string }) =>
    void navigate({
      to: '/w/$workspaceId/inbox/$taskId',
      params: { workspaceId: task.workspaceId, taskId: task.taskId },
      search: true,
    })

  return { taskId, filters, openTask, openInOwnWorkspace, setFilters }
}
