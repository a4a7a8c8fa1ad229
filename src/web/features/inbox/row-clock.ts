import type { InboxRow } from '../../../contract/inbox.ts'
import { formatAnswerBy, formatTimeLeft } from '../../lib/time.ts'

export type RowClock = { at: string; isDeadline: boolean }

/** Whichever comes first: when people should have answered, or when the task expires. */
export function clockOf({ answerBy, expiresAt }: InboxRow): RowClock | undefined {
  if (answerBy && (!expiresAt || answerBy <= expiresAt)) return { at: answerBy, isDeadline: false }
  return expiresAt ? { at: expiresAt, isDeadline: true } : undefined
}

/** The time left, or that it has passed. */
export function formatRowClock({ at, isDeadline }: RowClock, now: number): string {
  return isDeadline ? formatTimeLeft(at, now) : formatAnswerBy(at, now)
}
