import { useQuery } from '@tanstack/react-query'
import { useWorkspace } from '../../lib/workspace.ts'

const maxAnswers = 50

/** The person's own latest answers to tasks of a type with an action, from new to old. Empty while they load. */
export function usePastAnswers(type: string, actionId: string, isEnabled = true): Record<string, unknown>[] {
  const { api, me, workspaceId } = useWorkspace()
  const { email } = me.person
  const { data } = useQuery({
    queryKey: ['past-answers', workspaceId, email, type, actionId],
    queryFn: async ({ signal }) => {
      const { tasks } = await api.listTasks(
        {
          status: 'handled',
          type,
          actionId,
          handledBy: email,
          sort: 'handledAt',
          fields: 'summary',
          limit: maxAnswers,
        },
        signal,
      )
      return tasks.map(({ handled }) => handled?.data ?? {})
    },
    enabled: isEnabled,
    staleTime: 60_000,
  })
  return data ?? noAnswers
}

const noAnswers: Record<string, unknown>[] = []
