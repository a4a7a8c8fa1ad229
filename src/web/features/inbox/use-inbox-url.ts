import { useQueryClient } from '@tanstack/react-query'
import { useNavigate, useParams, useRouter, useSearch } from '@tanstack/react-router'
import { useCallback, useEffect, useMemo } from 'react'
import { chosenList, rememberList } from '../../lib/chosen-list.ts'
import { groupsQuery, staleMilliseconds } from '../../lib/use-groups.ts'
import { useWorkspace } from '../../lib/workspace.ts'
import {
  forMe,
  type InboxFilters,
  type InboxSearch,
  isFiltered,
  isSameFilter,
  parseInboxFilters,
  searchOf,
} from '../../parts/task-list/inbox-filters.ts'
import { useHasForMe } from './use-views.ts'

/** The displayed task and the filters from the URL, and functions to change them. */
export function useInboxUrl() {
  const { workspaceId } = useWorkspace()
  const navigate = useNavigate()
  const { taskId } = useParams({ strict: false })
  const search = useSearch({ from: '/w/$workspaceId/inbox' })
  const list = useRememberedList(search, taskId)
  // Memoized by content, so that equal filters do not reload the list.
  const filtersJson = JSON.stringify(parseInboxFilters(list.search))
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
    void navigate({ to: '.', search: searchOf(changed), replace })
  /**
   * Opens a task of any workspace, because the answer queue spans all of them. In another workspace,
   * the filters of this one are dropped.
   */
  const openInOwnWorkspace = (task: { workspaceId: string; taskId: string }) =>
    void navigate({
      to: '/w/$workspaceId/inbox/$taskId',
      params: { workspaceId: task.workspaceId, taskId: task.taskId },
      search: task.workspaceId === workspaceId ? true : {},
    })

  return {
    taskId,
    filters,
    openTask,
    openInOwnWorkspace,
    setFilters,
    openForMeOnFirstVisit: list.openForMeOnFirstVisit,
  }
}

/**
 * If the URL names no list, redirects to the list that the person last chose. Also remembers which list
 * they choose. For people who have not chosen yet, see `openForMeOnFirstVisit`.
 */
function useRememberedList(search: InboxSearch, taskId: string | undefined) {
  const { api, me, workspaceId } = useWorkspace()
  const { userId } = me.person
  const queryClient = useQueryClient()
  const navigate = useNavigate()
  const router = useRouter()
  const chosen = chosenList(userId, workspaceId)
  const isUnfiltered = !isFiltered(parseInboxFilters(search))
  const isAll = search.view === 'all' && isUnfiltered
  // A link to a task opens it beside the list of all tasks.
  const isUnset = search.view === undefined && isUnfiltered && taskId === undefined
  const target = isUnset ? chosen : undefined
  const isForMe = isSameFilter(search, forMe)
  const hasForMe = useHasForMe()

  useEffect(() => {
    if (target === 'me') void navigate({ to: '.', search: forMe, replace: true })
    if (target === 'all') void navigate({ to: '.', search: { view: 'all' }, replace: true })
  }, [navigate, target])

  useEffect(() => {
    if (hasForMe && (isForMe || isAll)) rememberList(userId, workspaceId, isForMe ? 'me' : 'all')
  }, [hasForMe, isAll, isForMe, userId, workspaceId])

  /**
   * Navigates to the tasks for this person if they have not chosen a list yet and are in a group or
   * have tasks assigned. Resolves with true if it navigated.
   */
  async function openForMeOnFirstVisit(): Promise<boolean> {
    if (!isUnset || chosen !== undefined) return false
    const { href } = router.latestLocation
    const [groups, assigned] = await Promise.all([
      queryClient.fetchQuery(groupsQuery(api, workspaceId, staleMilliseconds)),
      api.inbox({ assigned: 'me', limit: 1 }),
    ])
    const isInGroup = groups.some(({ members }) => members.includes(me.person.email))
    if (!isInGroup && assigned.rows.length === 0) return false
    // The person has opened a task, another list or another page meanwhile.
    if (router.latestLocation.href !== href) return false
    rememberList(userId, workspaceId, 'me')
    void navigate({ to: '.', search: forMe, replace: true })
    return true
  }

  return { search: target === 'me' ? forMe : search, openForMeOnFirstVisit }
}
