import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect, useMemo, useState } from 'react'
import type { Draft, Drafts } from '../../../../contract/inbox.ts'
import type { TaskRecord } from '../../../../contract/task.ts'
import { useWorkspace } from '../../../lib/workspace.ts'
import { unsavedDrafts, withUnsaved } from '../../answers/unsaved-drafts.ts'
import { adaptDrafts } from './adapt-drafts.ts'
import { type DraftState, draftSaverOf } from './draft-saver.ts'

/**
 * The person's drafts of answers to a task. A draft is saved after a pause in typing, and
 * immediately when the page is hidden. `onDraft` is called once: when the person changes a draft, or
 * after the first attempt to save one that this tab has kept from before a reload.
 */
export function useDrafts(taskId: string, task: TaskRecord | undefined, onDraft: () => void) {
  const { api, me, workspaceId } = useWorkspace()
  const { userId } = me.person
  const queryClient = useQueryClient()
  const query = useQuery({
    queryKey: ['drafts', workspaceId, taskId],
    queryFn: async ({ signal }): Promise<Drafts> => {
      // Read before the request and after it: while it runs, a draft may be saved, too late for its
      // response, and another one may be written.
      const unsaved = unsavedDrafts(userId, taskId)
      const { drafts } = await api.drafts(taskId, signal)
      return {
        drafts: withUnsaved(withUnsaved(drafts.toSorted(byAge), unsaved), unsavedDrafts(userId, taskId)),
      }
    },
    staleTime: 5 * 60_000,
  })
  /** By action. */
  const [states, setStates] = useState<ReadonlyMap<string, DraftState>>(new Map())
  const saver = draftSaverOf(api, userId, taskId)

  useEffect(() => {
    const saveWhenHidden = () => document.visibilityState === 'hidden' && saver.saveBeforeLeaving()
    saver.onState = (actionId, state) => setStates((before) => new Map([...before, [actionId, state]]))
    saver.resume(unsavedDrafts(userId, taskId))
    document.addEventListener('visibilitychange', saveWhenHidden)
    window.addEventListener('online', saver.save)
    return () => {
      document.removeEventListener('visibilitychange', saveWhenHidden)
      window.removeEventListener('online', saver.save)
      saver.onState = () => undefined
      saver.save()
    }
  }, [saver, taskId, userId])

  const hasDraft = states.size > 0
  useEffect(() => {
    if (hasDraft) onDraft()
  }, [hasDraft])

  // Until the drafts are loaded, or if they can't be loaded, those that this tab has kept.
  const drafts = query.data?.drafts ?? unsavedDrafts(userId, taskId)

  /** `revision` is the revision of the task whose form was filled in. */
  function change(actionId: string, data: Draft['data'], revision: number) {
    const draft: Draft = { actionId, data, revision, updatedAt: new Date().toISOString() }
    // While the drafts load, this one is only kept, and the response adds it.
    if (!query.isPending)
      queryClient.setQueryData<Drafts>(['drafts', workspaceId, taskId], (before) => ({
        drafts: withUnsaved(before?.drafts ?? drafts, [draft]),
      }))
    saver.change(draft)
  }

  return {
    /** One per action, the newest last, adapted to the current revision of the task. */
    list: useMemo(() => adaptDrafts(drafts, task), [drafts, task]),
    isLoading: query.isPending,
    stateOf: (actionId: string): DraftState => states.get(actionId) ?? 'untouched',
    change,
    /** Saves immediately, before an answer is sent. */
    save: saver.save,
  }
}

export type TaskDrafts = ReturnType<typeof useDrafts>

function byAge(a: Draft, b: Draft): number {
  return a.updatedAt.localeCompare(b.updatedAt)
}
