import { useMutation, useQueryClient } from '@tanstack/react-query'
import type { View } from '../../../contract/view.ts'
import { useWorkspace } from '../../lib/workspace.ts'
import { viewsKey } from './use-views.ts'

/**
 * Changes the views of the person or of the workspace. Fetches them first, because another tab may
 * have changed them.
 */
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
