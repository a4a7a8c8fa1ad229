import { useNavigate, useParams, useSearch } from '@tanstack/react-router'
import { useCallback, useMemo } from 'react'
import { useWorkspace } from '../../lib/workspace.ts'
import { dropIncompatibleFilters, type HandledFilters } from '../../parts/task-list/handled-filters.ts'

/** The displayed task and the filters from the URL, and functions to change them. */
export function useHandledUrl() {
  const { workspaceId } = useWorkspace()
  const navigate = useNavigate()
  const { taskId } = useParams({ strict: false })
  // Memoized by content, so that equal filters do not reload the list.
  const filtersJson = JSON.stringify(useSearch({ from: '/w/$workspaceId/handled' }))
  const filters: HandledFilters = useMemo(() => JSON.parse(filtersJson), [filtersJson])

  const open = useCallback(
    (id: string | undefined, { replace = false }: { replace?: boolean } = {}) =>
      void (id
        ? navigate({
            to: '/w/$workspaceId/handled/$taskId',
            params: { workspaceId, taskId: id },
            search: true,
            replace,
          })
        : navigate({ to: '/w/$workspaceId/handled', params: { workspaceId }, search: true, replace })),
    [navigate, workspaceId],
  )
  /**
   * Opens a task of any workspace, because the answer queue spans all of them. In another workspace,
   * the filters of this one are dropped.
   */
  const openInOwnWorkspace = (task: { workspaceId: string; taskId: string }) =>
    void navigate({
      to: '/w/$workspaceId/handled/$taskId',
      params: { workspaceId: task.workspaceId, taskId: task.taskId },
      search: task.workspaceId === workspaceId ? true : {},
    })
  const setFilters = (changed: HandledFilters, { replace = false }: { replace?: boolean } = {}) =>
    void navigate({ to: '.', search: dropIncompatibleFilters(changed), replace })

  const isUnfiltered = Object.values(filters).every((value) => value === undefined)
  return { taskId, filters, isUnfiltered, open, openInOwnWorkspace, setFilters }
}
