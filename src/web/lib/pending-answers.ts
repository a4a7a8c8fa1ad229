import type { KeptAnswer } from './answer-store.ts'
import { type Answer, bodyOf, type Failure } from './send-answer.ts'

/**
 * held: can be taken back. queued: about to be sent. waiting: could not be sent, and is tried again.
 * failed: will not be sent.
 */
export type Stage = 'held' | 'queued' | 'sending' | 'waiting' | 'failed'
export type PendingAnswer = KeptAnswer & {
  stage: Stage
  /** A first attempt has failed, or it was left by another tab: it is listed as unsent until it is settled. */
  isDelayed: boolean
  /** undefined: not known yet. */
  isKept: boolean | undefined
}
/** What one press gave: an answer to one task, or the same one to many. */
export type Entry = { entryId: string; answers: PendingAnswer[]; dueAt: number; seconds: number }
/** Taken back, or refused: with this its task begins when it is opened again. */
export type ReturnedAnswer = { answer: Answer; failure?: Failure | undefined }

export type LastDue = { entryId: string; title: string; taskName: string; count: number }

export type QueueState = {
  /** Oldest first. */
  pending: readonly PendingAnswer[]
  /** Tasks that were answered from this page. */
  sent: ReadonlySet<string>
  /** Tasks that have ended and from which the person has gone on. */
  gone: ReadonlySet<string>
  /** The newest that can no longer be taken back. */
  lastDue: LastDue | undefined
  returned: ReturnedAnswer | undefined
  /** The last attempt failed and is retried. */
  isAway: boolean
}

/** Not yet sent, and not given up. */
export function isUnsettled({ stage }: PendingAnswer): boolean {
  return stage !== 'failed'
}

/** Shown as unsent, also while it is being retried. */
export function isUnsent({ stage, isDelayed }: PendingAnswer): boolean {
  return isDelayed || stage === 'failed'
}

/** What is stored of it. */
export function asKept({ stage: _, isDelayed: __, isKept: ___, ...kept }: PendingAnswer): KeptAnswer {
  return kept
}

/** One that was left in the store by another tab. */
export function asAdopted(kept: KeptAnswer): PendingAnswer {
  return { ...kept, stage: kept.failure ? 'failed' : 'waiting', isDelayed: true, isKept: true }
}

export function entriesOf(pending: readonly PendingAnswer[]): Entry[] {
  const byId = new Map<string, Entry>()
  for (const one of pending) {
    const { entryId, givenAt, dueAt } = one
    const entry = byId.get(entryId) ?? { entryId, answers: [], dueAt, seconds: (dueAt - givenAt) / 1_000 }
    entry.answers.push(one)
    byId.set(entryId, entry)
  }
  return [...byId.values()]
}

/** Of what is sent, in bytes. */
export function sizeOf(answer: Answer): number {
  return new Blob([JSON.stringify(bodyOf(answer))]).size
}
