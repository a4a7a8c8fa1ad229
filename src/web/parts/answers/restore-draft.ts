import type { QueryClient } from '@tanstack/react-query'
import type { Draft, Drafts } from '../../../contract/inbox.ts'
import type { Answer } from '../../lib/send-answer.ts'
import { keepUnsaved, withUnsaved } from './unsaved-drafts.ts'

/** Turns an answer back into a draft, since the original draft may never have been saved. */
export function restoreDraft(queryClient: QueryClient, userId: string, answer: Answer): void {
  const { workspaceId, taskId, actionId, data, revision = 1 } = answer
  if (!data) return
  const draft: Draft = { actionId, data, revision, updatedAt: new Date().toISOString() }
  keepUnsaved(userId, taskId, draft)
  queryClient.setQueryData<Drafts>(
    ['drafts', workspaceId, taskId],
    (before) => before && { drafts: withUnsaved(before.drafts, [draft]) },
  )
}
