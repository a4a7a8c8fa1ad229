import type { HandrailProblem } from '../../client/problem.ts'
import * as browserStore from './answer-store.ts'
import { keyOf, tabId } from './answer-store.ts'
import {
  type Entry,
  entriesOf,
  fromAdopted,
  isUnsent,
  isUnsettled,
  type PendingAnswer,
  type QueueState,
  type ReturnedAnswer,
  type Stage,
  sizeOf,
  toStored,
} from './pending-answers.ts'
import { type Answer, type Failure, type Outcome, type Person, sendAnswer } from './send-answer.ts'

type Options = { seconds: number; stays?: boolean }
type Store = Pick<typeof browserStore, 'save' | 'remove' | 'isOwn' | 'adopt' | 'removeAllOf'>
type Send = (answer: Answer, person: Person, keepalive: boolean) => Promise<Outcome>

// Browsers limit keepalive requests of a page to 64 KiB in total; drafts may use 8 KiB of it.
const maxKeepaliveBytes = 48 * 1024
const maxConcurrentRequests = 4
const maxBackoffMilliseconds = 30_000
// Groups notifications: rendering after each of many answers would take longer than sending them.
const notifyDelayMilliseconds = 50

/**
 * Answers that the service has not received yet. Each can be undone for a few seconds and is then sent.
 * Answers are stored in the browser immediately, so an outage or a closed tab does not lose them.
 */
export class AnswerQueue {
  #state: QueueState = {
    pending: [],
    sent: new Set(),
    hidden: new Set(),
    lastDue: undefined,
    returned: undefined,
    isUnreachable: false,
  }
  readonly #person: Person
  readonly #store: Store
  readonly #send: Send
  readonly #listeners = new Set<() => void>()
  readonly #timers = new Map<string, ReturnType<typeof setTimeout>>()
  readonly #saving = new Map<string, Promise<boolean>>()
  #isStarted = false
  #entryCount = 0
  #failures = 0
  #keepaliveBytes = 0
  #retry: ReturnType<typeof setTimeout> | undefined
  #notifyTimer: ReturnType<typeof setTimeout> | undefined
  /** Called for each answer that was sent or failed permanently. */
  onSettled: (answer: Answer, failure: Failure | undefined) => void = () => undefined

  constructor(person: Person, store: Store = browserStore, send: Send = sendAnswer) {
    this.#person = person
    this.#store = store
    this.#send = send
  }

  readonly snapshot = (): QueueState => this.#state
  readonly subscribe = (listener: () => void) => {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }

  /** Call after sign-in. Nothing is sent before this or after `stop`. */
  start(): void {
    this.#isStarted = true
    this.retryNow()
  }

  stop(): void {
    this.#isStarted = false
    clearTimeout(this.#retry)
  }

  /** Adds the answers as one entry and returns its id. */
  add(answers: Answer[], { seconds, stays = false }: Options): string {
    const now = Date.now()
    this.#entryCount += 1
    const entryId = `${tabId}.${this.#entryCount}`
    const known = new Set(this.#state.pending.filter(isUnsettled).map(({ answer }) => answer.taskId))
    const added = answers
      .filter(({ taskId }) => !known.has(taskId))
      .map(
        (answer): PendingAnswer => ({
          key: keyOf(this.#person.userId, answer, entryId),
          userId: this.#person.userId,
          tabId,
          entryId,
          answer,
          stays,
          givenAt: now,
          dueAt: now + seconds * 1_000,
          stage: 'held',
          isDelayed: false,
          isStored: undefined,
        }),
      )
    // A new answer replaces one that the service rejected.
    const taskIds = new Set(added.map(({ answer }) => answer.taskId))
    this.#remove(({ answer, failure }) => failure?.isLost === false && taskIds.has(answer.taskId))
    this.#change({ pending: [...this.#state.pending, ...added] })
    this.#save(added)
    if (seconds > 0) {
      this.#timers.set(
        entryId,
        setTimeout(() => this.sendNow(entryId), seconds * 1_000),
      )
    } else {
      this.sendNow(entryId)
    }
    return entryId
  }

  /** Entries that can still be undone, oldest first. */
  held(): Entry[] {
    return entriesOf(this.#state.pending.filter(({ stage }) => stage === 'held'))
  }

  /** Removes an entry before it is sent; the newest by default. */
  undo(entryId = this.held().at(-1)?.entryId): Answer[] {
    if (entryId === undefined) return []
    clearTimeout(this.#timers.get(entryId))
    return this.#remove((one) => one.entryId === entryId && one.stage === 'held')
  }

  /** Removes an unsent answer unless it is being sent right now. */
  remove(key: string): Answer | undefined {
    return this.#remove((one) => one.key === key && isUnsent(one) && one.stage !== 'sending')[0]
  }

  sendNow(entryId: string): void {
    this.#endHold(entryId)
    this.#stage((one) => one.entryId === entryId && one.stage === 'held', 'queued')
    this.#sendQueued()
  }

  /** Retries unsent answers, including those left behind by closed tabs. */
  retryNow(): void {
    if (!this.#isStarted) return
    clearTimeout(this.#retry)
    void this.#store.adopt(this.#person.userId).then((kept) => {
      const known = new Set(this.#state.pending.map(({ key }) => key))
      const adopted = kept.filter(({ key }) => !known.has(key)).map(fromAdopted)
      if (adopted.length > 0) {
        const pending = [...adopted, ...this.#state.pending].sort((a, b) => a.givenAt - b.givenAt)
        this.#change({ pending })
      }
      this.#stage(({ stage }) => stage === 'waiting', 'queued')
      this.#sendQueued()
    })
  }

  /** The page may close: sends what fits into keepalive requests. The rest stays in the browser. */
  flush(): void {
    if (!this.#isStarted) return
    for (const one of this.#state.pending) {
      const isDue = one.stage === 'held' || one.stage === 'queued'
      if (!isDue || !this.#fitsKeepalive(one.answer)) continue
      this.#endHold(one.entryId)
      void this.#deliver(one)
    }
  }

  /** False if closing the page now could lose an answer or leave one unsent without a warning. */
  isLeavingSafe(): boolean {
    const { pending } = this.#state
    const unsent = pending.filter(({ stage }) => stage !== 'failed')
    const due = unsent.filter(({ stage }) => stage === 'held' || stage === 'queued')
    const bytes = due.reduce((sum, { answer }) => sum + sizeOf(answer), this.#keepaliveBytes)
    const mayFail = this.#failures > 0 || !navigator.onLine
    const isSafe = ({ isStored, stage }: PendingAnswer) => isStored || (stage !== 'waiting' && !mayFail)
    return bytes <= maxKeepaliveBytes && unsent.every(isSafe)
  }

  /** Resolves once no answer of the entry is being sent: with the one that failed, if any. */
  async settled(entryId: string): Promise<PendingAnswer | undefined> {
    const ofEntry = () => this.#state.pending.filter((one) => one.entryId === entryId)
    const isOver = () => !ofEntry().some(({ stage }) => stage === 'queued' || stage === 'sending')
    const failed = () => ofEntry().find(({ stage }) => stage === 'failed')
    if (isOver()) return failed()
    return await new Promise((resolve) => {
      const stop = this.subscribe(() => {
        if (!isOver()) return
        stop()
        resolve(failed())
      })
    })
  }

  /** Tries to send everything, for example before signing out. */
  async settleAll(): Promise<void> {
    const entries = [...new Set(this.#state.pending.map(({ entryId }) => entryId))]
    for (const entryId of entries) this.sendNow(entryId)
    this.#stage(({ stage }) => stage === 'waiting', 'queued')
    this.#sendQueued()
    await Promise.all(entries.map((entryId) => this.settled(entryId)))
  }

  /** Call on sign-out: deletes all answers of this person from the browser. */
  async discard(): Promise<void> {
    this.stop()
    for (const timer of this.#timers.values()) clearTimeout(timer)
    this.#change({ pending: [], returned: undefined, lastDue: undefined })
    await this.#store.removeAllOf(this.#person.userId)
  }

  /** After a failover, sent answers may be lost: the service decides again which tasks have ended. */
  startOver(): void {
    this.#change({ sent: new Set(), hidden: new Set() })
  }

  returnAnswer(returned: ReturnedAnswer): void {
    this.#change({ returned })
  }

  /** Returns an answer that was taken back or rejected to its task, once. */
  takeReturned(taskId: string): ReturnedAnswer | undefined {
    const { returned, pending } = this.#state
    if (returned?.answer.taskId === taskId) {
      this.#change({ returned: undefined })
      return returned
    }
    const rejected = pending.find(
      ({ answer, failure }) => answer.taskId === taskId && failure?.isLost === false,
    )
    if (!rejected) return undefined
    this.remove(rejected.key)
    return { answer: rejected.answer, failure: rejected.failure }
  }

  #endHold(entryId: string): void {
    clearTimeout(this.#timers.get(entryId))
    this.#timers.delete(entryId)
    const answers = this.#state.pending.filter((one) => one.entryId === entryId && one.stage === 'held')
    const [first] = answers
    if (!first) return
    const { title, taskName } = first.answer
    this.#change({ lastDue: { entryId, title, taskName, count: answers.length } }, 'soon')
  }

  #save(added: PendingAnswer[]): void {
    const saving = this.#store.save(added.map(toStored))
    const keys = new Set(added.map(({ key }) => key))
    for (const key of keys) this.#saving.set(key, saving)
    void saving.then((isStored) => this.#update((one) => keys.has(one.key), { isStored }))
  }

  #sendQueued(): void {
    if (!this.#isStarted) return
    // While the service is unreachable, one request at a time checks whether it has recovered.
    const max = this.#failures > 0 ? 1 : maxConcurrentRequests
    const { pending } = this.#state
    const busy = new Set(
      pending.filter(({ stage }) => stage === 'sending').map(({ answer }) => answer.taskId),
    )
    for (const one of pending) {
      if (busy.size >= max) return
      // If two tabs answered the same task, the older answer is sent first.
      if (one.stage !== 'queued' || busy.has(one.answer.taskId)) continue
      busy.add(one.answer.taskId)
      void this.#sendOwn(one)
    }
  }

  async #sendOwn(one: PendingAnswer): Promise<void> {
    this.#stage(({ key }) => key === one.key, 'sending', 'soon')
    const isStored = await this.#saving.get(one.key)
    // Another tab signed the person out or adopted this answer. If the store is unreadable, send it.
    if ((isStored ?? one.isStored) && (await this.#store.isOwn(one.key)) === false) {
      this.#change({ pending: this.#state.pending.filter(({ key }) => key !== one.key) })
      return this.#sendQueued()
    }
    if (this.#isStarted) return await this.#deliver(one)
    this.#update(({ key }) => key === one.key, { stage: 'waiting', isDelayed: true })
  }

  async #deliver(one: PendingAnswer): Promise<void> {
    this.#stage(({ key }) => key === one.key, 'sending', 'soon')
    const keepalive = this.#fitsKeepalive(one.answer)
    const bytes = keepalive ? sizeOf(one.answer) : 0
    this.#keepaliveBytes += bytes
    const outcome = await this.#send(one.answer, this.#person, keepalive)
    this.#keepaliveBytes -= bytes
    // The person signed out in the meantime.
    if (!this.#state.pending.some(({ key }) => key === one.key)) return
    if (outcome.kind === 'unsure') {
      this.#wait(one, outcome.problem)
    } else {
      this.#failures = 0
      this.#change({ isUnreachable: false }, 'soon')
      if (outcome.kind === 'sent') this.#settle(one)
      else this.#fail(one, outcome.failure)
    }
    this.#sendQueued()
  }

  #settle(one: PendingAnswer): void {
    const { taskId } = one.answer
    const { sent, hidden, pending } = this.#state
    this.#change(
      {
        pending: pending.filter(({ key }) => key !== one.key),
        sent: new Set(sent).add(taskId),
        hidden: one.stays ? hidden : new Set(hidden).add(taskId),
      },
      'soon',
    )
    void this.#store.remove([one.key])
    this.onSettled(one.answer, undefined)
  }

  #fail(one: PendingAnswer, failure: Failure): void {
    const { hidden } = this.#state
    if (failure.isLost && !one.stays) this.#change({ hidden: new Set(hidden).add(one.answer.taskId) }, 'soon')
    this.#update(({ key }) => key === one.key, { stage: 'failed', failure }, 'soon')
    void this.#store.save([{ ...toStored(one), failure }])
    this.onSettled(one.answer, failure)
  }

  #wait(one: PendingAnswer, problem: HandrailProblem): void {
    // If the service is unreachable, the other queued answers would fail too.
    const isOutage = problem.status !== 500
    this.#change({ isUnreachable: true }, 'soon')
    this.#update(({ key, stage }) => key === one.key || (isOutage && stage === 'queued'), {
      stage: 'waiting',
      isDelayed: true,
    })
    if (problem.status === 401) {
      this.stop()
      return
    }
    this.#failures += 1
    const seconds = problem.retryAfterSeconds ?? 2 ** Math.min(this.#failures, 10)
    clearTimeout(this.#retry)
    this.#retry = setTimeout(() => this.retryNow(), Math.min(seconds * 1_000, maxBackoffMilliseconds))
  }

  #fitsKeepalive(answer: Answer): boolean {
    return this.#keepaliveBytes + sizeOf(answer) <= maxKeepaliveBytes
  }

  #remove(isRemoved: (one: PendingAnswer) => boolean): Answer[] {
    const { pending } = this.#state
    const removed = pending.filter(isRemoved)
    if (removed.length === 0) return []
    this.#change({ pending: pending.filter((one) => !isRemoved(one)) })
    void this.#store.remove(removed.map(({ key }) => key))
    return removed.map(({ answer }) => answer)
  }

  #stage(matches: (one: PendingAnswer) => boolean, stage: Stage, when?: 'soon'): void {
    this.#update(matches, { stage }, when)
  }

  #update(matches: (one: PendingAnswer) => boolean, change: Partial<PendingAnswer>, when?: 'soon'): void {
    if (!this.#state.pending.some(matches)) return
    this.#change(
      { pending: this.#state.pending.map((one) => (matches(one) ? { ...one, ...change } : one)) },
      when,
    )
  }

  #change(change: Partial<QueueState>, when?: 'soon'): void {
    this.#state = { ...this.#state, ...change }
    if (when === 'soon') {
      this.#notifyTimer ??= setTimeout(() => this.#notify(), notifyDelayMilliseconds)
      return
    }
    this.#notify()
  }

  #notify(): void {
    clearTimeout(this.#notifyTimer)
    this.#notifyTimer = undefined
    for (const listener of this.#listeners) listener()
  }
}

const byPerson = new Map<string, AnswerQueue>()

export function answerQueueOf({ userId, email }: Person): AnswerQueue {
  const known = byPerson.get(userId)
  if (known) return known
  const queue = new AnswerQueue({ userId, email })
  byPerson.set(userId, queue)
  return queue
}
