import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useCallback, useEffect, useRef, useState } from 'react'
import type { Draft, Drafts } from '../../../contract/inbox.ts'
import { maxKeepaliveDraftBytes } from '../../lib/keepalive-budget.ts'
import { asProblem } from '../../lib/problem.ts'
import { useWorkspace } from '../../lib/workspace.ts'
import { dropUnsaved, keepUnsaved, unsavedDrafts, withUnsaved } from '../answers/unsaved-drafts.ts'

const debounceMilliseconds = 800
const maxBackoffMilliseconds = 30_000

export type DraftState = 'untouched' | 'saving' | 'saved' | 'failed'
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
  const waiting = useRef(new Map<string, Draft>())
  const failures = useRef(0)
  const timer = useRef<ReturnType<typeof setTimeout> | undefined>(undefined)

  const save = useCallback(() => {
    clearTimeout(timer.current)
    const drafts = [...waiting.current.values()]
    waiting.current.clear()
    for (const draft of drafts) void saveOne(draft)

    async function saveOne(draft: Draft) {
      const { actionId, data, revision } = draft
      const keepalive = JSON.stringify(data).length < maxKeepaliveDraftBytes
      try {
        await api.saveDraft(taskId, actionId, { data, revision }, { keepalive })
        failures.current = 0
        dropUnsaved(userId, taskId, draft)
        setState(waiting.current.size > 0 ? 'saving' : 'saved')
      } catch (thrown) {
        setState('failed')
        const { status } = asProblem(thrown)
        const isTransient = status === 0 || status === 429 || status >= 500
        if (!isTransient || waiting.current.has(actionId)) return
        waiting.current.set(actionId, draft)
        failures.current += 1
        timer.current = setTimeout(save, Math.min(1_000 * 2 ** failures.current, maxBackoffMilliseconds))
      }
    }
  }, [api, taskId, userId])

  // Drafts that an earlier visit could not save.
  useEffect(() => {
    for (const draft of unsavedDrafts(userId, taskId)) waiting.current.set(draft.actionId, draft)
    save()
  }, [save, taskId, userId])

  useEffect(() => {
    const saveWhenHidden = () => document.visibilityState === 'hidden' && save()
    document.addEventListener('visibilitychange', saveWhenHidden)
    window.addEventListener('online', save)
    return () => {
      document.removeEventListener('visibilitychange', saveWhenHidden)
      window.removeEventListener('online', save)
      save()
      clearTimeout(timer.current)
    }
  }, [save])

  /** `revision`: of the task whose form was filled in. */
  function change(actionId: string, data: Data, revision: number) {
    const draft: Draft = { actionId, data, revision, updatedAt: new Date().toISOString() }
    queryClient.setQueryData<Drafts>(['drafts', workspaceId, taskId], (before) => ({
      drafts: [...(before?.drafts.filter((other) => other.actionId !== actionId) ?? []), draft],
    }))
    keepUnsaved(userId, taskId, draft)
    if (state === 'untouched') onFirstChange()
    waiting.current.set(actionId, draft)
    setState('saving')
    clearTimeout(timer.current)
    timer.current = setTimeout(save, debounceMilliseconds)
  }

  return {
    drafts: query.data?.drafts ?? (query.isPending ? [] : unsavedDrafts(userId, taskId)),
    isLoading: query.isPending,
    state,
    change,
    /** Saves immediately, before an answer is sent. */
    flush: save,
  }
}

export function newestDraft(drafts: Draft[]): Draft | undefined {
  return drafts.toSorted((a, b) => b.updatedAt.localeCompare(a.updatedAt))[0]
}
