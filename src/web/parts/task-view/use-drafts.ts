import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import type { Draft, Drafts } from '../../../contract/inbox.ts'
import { useWorkspace } from '../../lib/workspace.ts'
import { unsavedDrafts, withUnsaved } from '../answers/unsaved-drafts.ts'
import { type DraftState, draftSaverOf } from './draft-saver.ts'

type Data = Record<string, unknown>

/** Drafts, one per action. Saved after a pause in typing, and immediately when the page is hidden. */
export function useDrafts(taskId: string, onFirstChange: () => void) {
  const { api, me, workspaceId } = useWorkspace()
  const { userId } = me.person
  const queryClient = useQueryClient()
  const query = useQuery({
    queryKey: ['drafts', workspaceId, taskId],
    queryFn: async ({ signal }): Promise<Drafts> => {
      // Read first: a draft may be saved during the request, too late for its response.
      const unsaved = unsavedDrafts(userId, taskId)
      const { drafts } = await api.drafts(taskId, signal)
      return { drafts: withUnsaved(drafts, unsaved) }
    },
    staleTime: 5 * 60_000,
  })
  const [state, setState] = useState<DraftState>('untouched')
  const saver = draftSaverOf(api, userId, taskId)

  useEffect(() => {
    const saveWhenHidden = () => document.visibilityState === 'hidden' && saver.saveBeforeLeaving()
    saver.onState = setState
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

  /** `revision`: of the task whose form was filled in. */
  function change(actionId: string, data: Data, revision: number) {
    const draft: Draft = { actionId, data, revision, updatedAt: new Date().toISOString() }
    queryClient.setQueryData<Drafts>(['drafts', workspaceId, taskId], (before) => ({
      drafts: [...(before?.drafts.filter((other) => other.actionId !== actionId) ?? []), draft],
    }))
    if (state === 'untouched') onFirstChange()
    saver.change(draft)
  }

  return {
    drafts: query.data?.drafts ?? (query.isPending ? [] : unsavedDrafts(userId, taskId)),
    isLoading: query.isPending,
    state,
    change,
    /** Saves immediately, before an answer is sent. */
    flush: saver.save,
  }
}

export function newestDraft(drafts: Draft[]): Draft | undefined {
  return drafts.toSorted((a, b) => b.updatedAt.localeCompare(a.updatedAt))[0]
}
