import { type QueryClient, useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { answerQueueOf } from '../../lib/answer-queue.ts'
import type { Answer, Failure, Person } from '../../lib/send-answer.ts'
import { dropAllUnsaved } from './unsaved-drafts.ts'

/** Sends this person's answers while mounted, and flushes the queue when the page may close. */
export function useAnswerSync(person: Person | undefined): void {
  const queryClient = useQueryClient()
  const { userId, email } = person ?? {}
  useEffect(() => {
    if (userId === undefined || email === undefined) return undefined
    const queue = answerQueueOf({ userId, email })
    queue.onSettled = (answer, failure) => {
      refreshTask(queryClient, userId, answer, failure)
      // Once after the last of several answers, and not before they are sent: until then, the figures
      // of today do not count them.
      const isSending = queue
        .snapshot()
        .pending.some(({ stage }) => stage === 'queued' || stage === 'sending')
      if (!isSending) void queryClient.invalidateQueries({ queryKey: ['inbox-today'] })
    }
    queue.start()
    const flush = () => queue.flush()
    // On a phone, a hidden page may never run again. On other devices it does, so held answers stay
    // held and can still be undone.
    const flushWhenHidden = () => {
      if (document.visibilityState === 'hidden' && matchMedia('(hover: none)').matches) flush()
    }
    const retry = () => queue.retryNow()
    const warnIfUnsafe = (event: BeforeUnloadEvent) => {
      if (!queue.isLeavingSafe()) event.preventDefault()
    }
    window.addEventListener('pagehide', flush)
    document.addEventListener('freeze', flush)
    document.addEventListener('visibilitychange', flushWhenHidden)
    window.addEventListener('online', retry)
    window.addEventListener('beforeunload', warnIfUnsafe)
    return () => {
      window.removeEventListener('pagehide', flush)
      document.removeEventListener('freeze', flush)
      document.removeEventListener('visibilitychange', flushWhenHidden)
      window.removeEventListener('online', retry)
      window.removeEventListener('beforeunload', warnIfUnsafe)
      flush()
      queue.stop()
    }
  }, [queryClient, userId, email])
}

function refreshTask(
  queryClient: QueryClient,
  userId: string,
  { workspaceId, taskId }: Answer,
  failure: Failure | undefined,
) {
  if (!failure) dropAllUnsaved(userId, taskId)
  for (const kind of ['task', 'drafts', 'deliveries']) {
    const queryKey = [kind, workspaceId, taskId]
    if (!failure) queryClient.removeQueries({ queryKey, type: 'inactive' })
    if (!failure || kind === 'task') void queryClient.invalidateQueries({ queryKey })
  }
}
