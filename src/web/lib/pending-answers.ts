import { keyOf, type StoredAnswer, tabId } from './answer-store.ts'
import { type Answer, type Failure, hasTaskEnded } from './send-answer.ts'

/**
 * held: can be undone. queued: about to be sent. sending: a request is under way. waiting: was not
 * sent when it was due and will be retried. failed: will not be sent.
 */
export type Stage = 'held' | 'queued' | 'sending' | 'waiting' | 'failed'
export type PendingAnswer = StoredAnswer & {
  stage: Stage
  /** Was not sent when it was due. It is listed as unsent until it is sent, undone or dismissed. */
  isDelayed: boolean
  /** Whether it is stored in this browser. undefined: not known yet. */
  isStored: boolean | undefined
}
/** The answers that were submitted at once: to one task, or to several in bulk. */
export type AnswerEntry = { entryId: string; answers: PendingAnswer[]; givenAt: number; dueAt: number }
/** An answer that was undone, or refused by the service. It is restored when its task is opened again. */
export type ReturnedAnswer = { answer: Answer; failure?: Failure | undefined }

export type LastDue = { entryId: string; title: string; taskName: string; count: number }

export type QueueState = {
  /** Oldest first. */
  pending: readonly PendingAnswer[]
  /** The ids of tasks that were answered from this page and have ended. */
  sent: ReadonlySet<string>
  /**
   * By task id, the revision that this person answered, of tasks that other people must answer too.
   * These tasks stay in the list.
   */
  answeredRevisions: ReadonlyMap<string, number>
  /** Ended tasks that lists hide, because the person did not choose to stay on them. */
  hidden: ReadonlySet<string>
  /** The newest entry that can no longer be undone. Undefined once its answers were removed. */
  lastDue: LastDue | undefined
  returned: ReturnedAnswer | undefined
  /** The HTTP status of the last failed attempt that will be retried. 0: there was no response. */
  retryStatus: number | undefined
}

/** Neither sent nor failed. */
export function isUnsettled({ stage }: PendingAnswer): boolean {
  return stage !== 'failed'
}

/**
 * Can be sent when the page closes. `startingKeys`: of answers that are being sent, but whose request
 * has not started. An answer that waits for a retry would probably fail again.
 */
export function canFlush({ stage, key }: PendingAnswer, startingKeys: ReadonlySet<string>): boolean {
  return stage === 'held' || stage === 'queued' || startingKeys.has(key)
}

/** Listed as unsent, also while it is being retried. */
export function isUnsent({ stage, isDelayed }: PendingAnswer): boolean {
  return isDelayed || stage === 'failed'
}

/** The service refused this answer, but may accept another one to the same task. */
export function isRefused({ failure }: PendingAnswer): boolean {
  return failure !== undefined && !hasTaskEnded(failure) && failure.problem.code !== 'already_answered'
}

/** A new answer of an entry that can be undone for `seconds`. */
export function toHeld(
  answer: Answer,
  { userId, entryId, stays, seconds }: { userId: string; entryId: string; stays: boolean; seconds: number },
): PendingAnswer {
  const now = Date.now()
  return {
    key: keyOf(userId, answer, entryId),
    userId,
    tabId,
    entryId,
    answer,
    stays,
    givenAt: now,
    dueAt: now + seconds * 1_000,
    stage: 'held',
    isDelayed: false,
    isStored: undefined,
  }
}

export function toStored({ stage: _, isDelayed: __, isStored: ___, ...stored }: PendingAnswer): StoredAnswer {
  return stored
}

/** A stored answer that this tab took over from a closed tab. */
export function fromAdopted(stored: StoredAnswer): PendingAnswer {
  return { ...stored, stage: stored.failure ? 'failed' : 'waiting', isDelayed: true, isStored: true }
}

export function entriesOf(pending: readonly PendingAnswer[]): AnswerEntry[] {
  const byId = new Map<string, AnswerEntry>()
  for (const item of pending) {
    const { entryId, givenAt, dueAt } = item
    const entry = byId.get(entryId) ?? { entryId, answers: [], givenAt, dueAt }
    entry.answers.push(item)
    byId.set(entryId, entry)
  }
  return [...byId.values()]
}
