import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import type { View } from '../../../contract/view.ts'
import { useWorkspace } from '../../lib/workspace.ts'

const refetchMilliseconds = 15_000

export const viewsKey = (workspaceId: string) => ['views', workspaceId]

export function useViews() {
  const { api, workspaceId } = useWorkspace()
  return useQuery({
    queryKey: viewsKey(workspaceId),
    queryFn: ({ signal }) => api.views(signal),
    // Counts that nobody sees cost nothing.
    refetchInterval: ({ state: { data } }) =>
      data && data.views.length + data.shared.length > 0 ? refetchMilliseconds : false,
    staleTime: refetchMilliseconds,
  })
}

/** Changes the views of the person or of the workspace, as they are now: another tab may have changed them. */
export function useSaveViews(list: 'own' | 'shared') {
  const { api, workspaceId } = useWorkspace()
  const queryClient = useQueryClient()
  return useMutation({
    mutationFn: async (change: (views: View[]) => View[]) => {
      const { views: own, shared } = await api.views()
      const current = (list === 'own' ? own : shared).map(({ name, filters }) => ({ name, filters }))
      const views = change(current)
      return list === 'own' ? await api.saveViews({ views }) : await api.saveSharedViews({ views })
    },
    onSuccess: (saved) => queryClient.setQueryData(viewsKey(workspaceId), saved),
  })
}
