import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useCallback, useEffect, useRef, useState } from 'react'
import type { Draft, Drafts } from '../../../contract/inbox.ts'
import { useHere } from '../../lib/person.ts'

const pauseMilliseconds = 800
export type DraftState = 'untouched' | 'saving' | 'saved' | 'failed'
type Data = Record<string, unknown>

/** What a person has typed and not sent, an entry an action. Saved after a pause, and at once when they leave. */
export function useDrafts(taskId: string, onFirst: () => void) {
  const { api, workspaceId } = useHere()
  const queryClient = useQueryClient()
  const query = useQuery({
    queryKey: ['drafts', workspaceId, taskId],
    queryFn: ({ signal }) => api.drafts(taskId, signal),
    staleTime: 5 * 60_000,
  })
  const [state, setState] = useState<DraftState>('untouched')
  const waiting = useRef<{ actionId: string; data: Data } | undefined>(undefined)
  const timer = useRef<ReturnType<typeof setTimeout> | undefined>(undefined)

  const save = useCallback(() => {
    clearTimeout(timer.current)
    const next = waiting.current
    waiting.current = undefined
    if (!next) return
    api.saveDraft(taskId, next.actionId, next.data).then(
      () => setState(waiting.current ? 'saving' : 'saved'),
      () => setState('failed'),
    )
  }, [api, taskId])

  useEffect(() => {
    const saveWhenHidden = () => document.visibilityState === 'hidden' && save()
    document.addEventListener('visibilitychange', saveWhenHidden)
    return () => {
      document.removeEventListener('visibilitychange', saveWhenHidden)
      save()
    }
  }, [save])

  function change(actionId: string, data: Data) {
    if (waiting.current && waiting.current.actionId !== actionId) save()
    const draft: Draft = { actionId, data, updatedAt: new Date().toISOString() }
    queryClient.setQueryData<Drafts>(['drafts', workspaceId, taskId], (before) => ({
      drafts: [...(before?.drafts.filter((other) => other.actionId !== actionId) ?? []), draft],
    }))
    if (state === 'untouched') onFirst()
    waiting.current = { actionId, data }
    setState('saving')
    clearTimeout(timer.current)
    timer.current = setTimeout(save, pauseMilliseconds)
  }

  /** The answer is on its way: nothing is left to save, unless it comes back. */
  function hold(): () => void {
    clearTimeout(timer.current)
    const held = waiting.current
    waiting.current = undefined
    return () => {
      if (!held || waiting.current) return
      waiting.current = held
      save()
    }
  }

  return { drafts: query.data?.drafts ?? [], isLoading: query.isPending, state, change, hold }
}

export function newestDraft(drafts: Draft[]): Draft | undefined {
  return drafts.toSorted((a, b) => b.updatedAt.localeCompare(a.updatedAt))[0]
}
