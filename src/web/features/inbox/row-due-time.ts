import type { InboxRow } from '../../../contract/inbox.ts'
import { formatAnswerBy, formatTimeLeft } from '../../lib/time.ts'

export type RowDueTime = { at: string; isDeadline: boolean }

/** When people should have answered, or when the task expires: the earlier of the two. */
export function dueTimeOf({ answerBy, expiresAt }: InboxRow): RowDueTime | undefined {
  if (answerBy && (!expiresAt || answerBy <= expiresAt)) return { at: answerBy, isDeadline: false }
  return expiresAt ? { at: expiresAt, isDeadline: true } : undefined
}

/** The time left, or says that it has passed. */
export function formatRowDueTime({ at, isDeadline }: RowDueTime, now: number): string {
  return isDeadline ? formatTimeLeft(at, now) : formatAnswerBy(at, now)
}
