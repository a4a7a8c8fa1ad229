import { useQuery } from '@tanstack/react-query'
import type { AppAndType } from '../../lib/app-and-type.ts'
import { useWorkspace } from '../../lib/workspace.ts'

// Enough to find a task whose content was not deleted.
const maxSearched = 20

/**
 * The newest task of an app and type that still has its content, with its context and actions.
 * null: none of the newest `maxSearched` tasks has its content.
 */
export function useNewestTask({ app, type }: AppAndType) {
  const { api, workspaceId } = useWorkspace()
  return useQuery({
    queryKey: ['newest-task', workspaceId, app, type],
    queryFn: async ({ signal }) => {
      const { tasks } = await api.listTasks({ app, type, limit: maxSearched, fields: 'summary' }, signal)
      const newest = tasks.find(({ contentDeletedAt }) => contentDeletedAt === undefined)
      if (!newest) return null
      return await api.getTask(newest.taskId, { include: ['context', 'actions'] }, signal)
    },
    enabled: app !== '' && type !== '',
    staleTime: 60_000,
  })
}
