import { useQuery } from '@tanstack/react-query'
import type { AppAndType } from '../../lib/app-and-type.ts'
import { useWorkspace } from '../../lib/workspace.ts'

/** The newest task of an app and type with its context and actions. null: there is none. */
export function useNewestTask({ app, type }: AppAndType) {
  const { api, workspaceId } = useWorkspace()
  return useQuery({
    queryKey: ['newest-task', workspaceId, app, type],
    queryFn: async ({ signal }) => {
      const { tasks } = await api.listTasks({ app, type, limit: 1, fields: 'summary' }, signal)
      const [newest] = tasks
      if (!newest) return null
      return await api.getTask(newest.taskId, { include: ['context', 'actions'] }, signal)
    },
    enabled: app !== '' && type !== '',
    staleTime: 60_000,
  })
}
