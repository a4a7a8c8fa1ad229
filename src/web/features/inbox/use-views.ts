import { useQuery } from '@tanstack/react-query'
import { chosenList } from '../../lib/chosen-list.ts'
import { useMyAssignees } from '../../lib/use-groups.ts'
import { useWorkspace } from '../../lib/workspace.ts'

const refetchMilliseconds = 15_000

export const viewsKey = (workspaceId: string) => ['views', workspaceId]

export function useViews() {
  const { api, workspaceId } = useWorkspace()
  return useQuery({
    queryKey: viewsKey(workspaceId),
    queryFn: ({ signal }) => api.views(signal),
    // Don't poll for counts while there are no views.
    refetchInterval: ({ state: { data } }) =>
      data && data.views.length + data.shared.length > 0 ? refetchMilliseconds : false,
    staleTime: refetchMilliseconds,
  })
}

/**
 * Whether the person can choose between the tasks for them and all tasks: they are in a group, or have
 * chosen before.
 */
export function useHasForMe(): boolean {
  const { me, workspaceId } = useWorkspace()
  const isInGroup = useMyAssignees().length > 1
  return isInGroup || chosenList(me.person.userId, workspaceId) !== undefined
}
