import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useWorkspace } from '../../../lib/workspace.ts'

/** The data of an answer. */
type PastAnswer = Record<string, unknown>

const maxAnswers = 50
const noAnswers: PastAnswer[] = []

/**
 * The data of the person's own latest answers with an action to tasks of a type, newest first. Empty
 * while they load.
 */
export function usePastAnswers(type: string, actionId: string, isEnabled = true) {
  const { api, me, workspaceId } = useWorkspace()
  const { email } = me.person
  const queryClient = useQueryClient()
  const queryKey = ['past-answers', workspaceId, email, type, actionId]
  const { data = noAnswers } = useQuery({
    queryKey,
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
  return {
    answers: data,
    /** Adds an answer that the service may not have yet. */
    add: (answer: PastAnswer) =>
      queryClient.setQueryData<PastAnswer[]>(queryKey, (before = noAnswers) => [answer, ...before]),
  }
}
