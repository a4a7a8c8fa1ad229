import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import type { Outcome } from '../../../contract/action.ts'
import type { CountedAction } from '../../../contract/action-outcome.ts'
import type { AppAndType } from '../../lib/app-and-type.ts'
import { useWorkspace } from '../../lib/workspace.ts'

type OutcomeChoice = { actionId: string; outcome: Outcome }

/**
 * The `counted` actions, with the outcomes that admins have set since they were counted. A choice
 * is shown before it is saved.
 */
export function useActionOutcomes({ app, type }: AppAndType, counted: CountedAction[]) {
  const { api, workspaceId } = useWorkspace()
  const client = useQueryClient()
  const queryKey = ['action-outcomes', workspaceId, app, type]
  const query = useQuery({ queryKey, queryFn: ({ signal }) => api.actionOutcomes({ app, type }, signal) })
  const [unsaved, setUnsaved] = useState<OutcomeChoice[]>([])
  const save = useMutation({
    // Saved one after the other, so that the last choice is the one that stays.
    scope: { id: 'action-outcomes' },
    mutationFn: (choice: OutcomeChoice) => api.setActionOutcome({ app, type, ...choice }),
    onMutate: (choice) =>
      setUnsaved((others) => [...others.filter(({ actionId }) => actionId !== choice.actionId), choice]),
    onSuccess: (saved) => {
      client.setQueryData(queryKey, saved)
      void client.invalidateQueries({ queryKey: ['statistics', workspaceId] })
    },
    onSettled: (_saved, _error, choice) => setUnsaved((all) => all.filter((other) => other !== choice)),
  })
  const known = [...unsaved, ...(query.data?.actionOutcomes ?? [])]
  const actions = counted.map((action): CountedAction => {
    const set = known.find(({ actionId }) => actionId === action.actionId)
    if (!set || action.source === 'sender') return action
    return { ...action, outcome: set.outcome, source: 'workspace' }
  })
  return { actions, save }
}
