import type { HandrailProblem } from '../../client/problem.ts'
import * as browserStore from './answer-store.ts'
import { tabId } from './answer-store.ts'
import { KeepaliveBudget } from './keepalive-budget.ts'
import {
  canFlush,
  fromAdopted,
  isRefused,
  isUnsent,
  isUnsettled,
  type PendingAnswer,
  type QueueState,
  type ReturnedAnswer,
  toHeld,
  toStored,
} from './pending-answers.ts'
import {
  type Answer,
  type Failure,
  hasTaskEnded,
  type Person,
  type SendResult,
  sendAnswer,
} from './send-answer.ts'

type Options = {
  /** How long the answers can be undone. 0: they are sent immediately. */
  seconds: number
  /** The page keeps showing the task, so lists do not hide it. */
  stays?: boolean
}
type Store = Pick<typeof browserStore, 'save' | 'remove' | 'isOwn' | 'adopt' | 'removeAllOf'>
type Send = (answer: Answer, person: Person, keepalive: boolean) => Promise<SendResult>

const maxConcurrentRequests = 4
// Also limits the Retry-After header, so that answers arrive soon after the service has recovered.
const maxRetryDelayMilliseconds = 30_000
// Groups notifications: rendering after each of many answers would take longer than sending them.
const notifyDelayMilliseconds = 50

/**
 * Answers that the service has not accepted. Each can be undone for a few seconds and is then sent.
 * Where the browser can store them, neither an outage nor a closed tab loses them.
 */
export class AnswerQueue {
  #state: QueueState = {
    pending: [],
    sent: new Set(),
    answeredRevisions: new Map(),
    hidden: new Set(),
    lastDue: undefined,
    returned: undefined,
    retryStatus: undefined,
  }
  readonly #person: Person
  readonly #store: Store
  readonly #send: Send
  readonly #listeners = new Set<() => void>()
  readonly #holdTimers = new Map<string, ReturnType<typeof setTimeout>>()
  /** Writes to the store that are under way, by key of the answer. */
  readonly #saving = new Map<string, Promise<boolean>>()
  /** Keys of the answers in stage `sending` whose request has not started yet. */
  readonly #startingKeys = new Set<string>()
  readonly #keepaliveBudget = new KeepaliveBudget()
  #isStarted = false
  #entryCount = 0
  #consecutiveFailures = 0
  #retryTimer: ReturnType<typeof setTimeout> | undefined
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
    clearTimeout(this.#retryTimer)
  }

  /** Adds the answers as one entry and returns its id. Skips tasks with an answer that is neither sent nor failed. */
  add(answers: Answer[], { seconds, stays = false }: Options): string {
    this.#entryCount += 1
    const entryId = `${tabId}.${this.#entryCount}`
    const entry = { userId: this.#person.userId, entryId, stays, seconds }
    const answeredIds = new Set(this.#state.pending.filter(isUnsettled).map(({ answer }) => answer.taskId))
    const added = answers
      .filter(({ taskId }) => !answeredIds.has(taskId))
      .map((answer) => toHeld(answer, entry))
    // A new answer replaces one that the service refused.
    const taskIds = new Set(added.map(({ answer }) => answer.taskId))
    this.#remove((item) => isRefused(item) && taskIds.has(item.answer.taskId))
    this.#change({ pending: [...this.#state.pending, ...added] })
    this.#save(added)
    if (seconds > 0) {
      this.#holdTimers.set(
        entryId,
        setTimeout(() => this.sendNow(entryId), seconds * 1_000),
      )
    } else {
      this.sendNow(entryId)
    }
    return entryId
  }

  /** Removes an entry, if it can still be undone, and returns its answers. */
  undo(entryId: string): Answer[] {
    clearTimeout(this.#holdTimers.get(entryId))
    this.#holdTimers.delete(entryId)
    return this.#remove((item) => item.entryId === entryId && item.stage === 'held')
  }

  /** Removes an answer that is listed as unsent, except while it is being sent. */
  remove(key: string): Answer | undefined {
    return this.#remove((item) => item.key === key && isUnsent(item) && item.stage !== 'sending')[0]
  }

  sendNow(entryId: string): void {
    this.#endHold(entryId)
    this.#sendQueued()
  }

  /** Retries unsent answers, including those of closed tabs. */
  retryNow(): void {
    if (!this.#isStarted) return
    clearTimeout(this.#retryTimer)
    void this.#store.adopt(this.#person.userId).then((abandoned) => {
      const knownKeys = new Set(this.#state.pending.map(({ key }) => key))
      const adopted = abandoned.filter(({ key }) => !knownKeys.has(key)).map(fromAdopted)
      if (adopted.length > 0) {
        const pending = [...adopted, ...this.#state.pending].sort((a, b) => a.givenAt - b.givenAt)
        this.#change({ pending })
      }
      this.#update(({ stage }) => stage === 'waiting', { stage: 'queued' })
      this.#sendQueued()
    })
  }

  /** Call when the page may close: sends what fits into keepalive requests. The rest stays stored in the browser. */
  flush(): void {
    if (!this.#isStarted) return
    for (const item of this.#state.pending) {
      if (!canFlush(item, this.#startingKeys) || !this.#keepaliveBudget.fits(item.answer)) continue
      this.#startingKeys.delete(item.key)
      this.#endHold(item.entryId)
      void this.#deliver(item)
    }
  }

  /** False if closing the page now could lose an answer, or if `flush` could not send all held and queued ones. */
  isLeavingSafe(): boolean {
    const unsettled = this.#state.pending.filter(isUnsettled)
    const isFlushable = (item: PendingAnswer) => canFlush(item, this.#startingKeys)
    const flushable = unsettled.filter(isFlushable).map(({ answer }) => answer)
    const canSend = this.#isStarted && this.#consecutiveFailures === 0 && navigator.onLine
    const isSafe = (item: PendingAnswer) =>
      item.isStored || (canSend && (isFlushable(item) || this.#keepaliveBudget.has(item.key)))
    return this.#keepaliveBudget.fits(...flushable) && unsettled.every(isSafe)
  }

  /** Resolves once no answer of the entry is queued or being sent, with one of them that failed, if any. */
  async whenAttempted(entryId: string): Promise<PendingAnswer | undefined> {
    const ofEntry = () => this.#state.pending.filter((item) => item.entryId === entryId)
    const isAttempted = () => !ofEntry().some(({ stage }) => stage === 'queued' || stage === 'sending')
    const failed = () => ofEntry().find(({ stage }) => stage === 'failed')
    if (isAttempted()) return failed()
    return await new Promise((resolve) => {
      const stop = this.subscribe(() => {
        if (!isAttempted()) return
        stop()
        resolve(failed())
      })
    })
  }

  /** Tries to send all answers that have not failed, for example before signing out. */
  async sendAll(): Promise<void> {
    const entries = [...new Set(this.#state.pending.map(({ entryId }) => entryId))]
    for (const entryId of entries) this.sendNow(entryId)
    this.#update(({ stage }) => stage === 'waiting', { stage: 'queued' })
    this.#sendQueued()
    await Promise.all(entries.map((entryId) => this.whenAttempted(entryId)))
  }

  /** Call on sign-out: deletes all answers of this person from the browser. */
  async discard(): Promise<void> {
    this.stop()
    for (const timer of this.#holdTimers.values()) clearTimeout(timer)
    this.#change({ pending: [], returned: undefined, lastDue: undefined })
    await this.#store.removeAllOf(this.#person.userId)
  }

  /** Forgets which tasks were answered. Call after a failover, which may have lost answers that were sent. */
  forgetSent(): void {
    this.#change({ sent: new Set(), hidden: new Set(), answeredRevisions: new Map() })
  }

  /** Keeps an answer that was undone, until its task is shown and takes it with `takeReturned`. */
  returnAnswer(returned: ReturnedAnswer): void {
    this.#change({ returned })
  }

  /** Removes and returns the answer to this task that was undone, or refused by the service. */
  takeReturned(taskId: string): ReturnedAnswer | undefined {
    const { returned, pending } = this.#state
    if (returned?.answer.taskId === taskId) {
      this.#change({ returned: undefined })
      return returned
    }
    const refused = pending.find((item) => item.answer.taskId === taskId && isRefused(item))
    if (!refused) return undefined
    this.remove(refused.key)
    return { answer: refused.answer, failure: refused.failure }
  }

  /** Queues all held answers of the entry. */
  #endHold(entryId: string): void {
    clearTimeout(this.#holdTimers.get(entryId))
    this.#holdTimers.delete(entryId)
    const isHeld = (item: PendingAnswer) => item.entryId === entryId && item.stage === 'held'
    const answers = this.#state.pending.filter(isHeld)
    const [first] = answers
    if (!first) return
    const { title, taskName } = first.answer
    this.#change({ lastDue: { entryId, title, taskName, count: answers.length } }, 'soon')
    this.#update(isHeld, { stage: 'queued' })
  }

  #save(added: PendingAnswer[]): void {
    const saving = this.#store.save(added.map(toStored))
    const keys = new Set(added.map(({ key }) => key))
    for (const key of keys) this.#saving.set(key, saving)
    void saving.then((isStored) => {
      this.#update((item) => keys.has(item.key), { isStored })
      for (const key of keys) this.#saving.delete(key)
    })
  }

  #sendQueued(): void {
    if (!this.#isStarted) return
    // While the service is unreachable, one request at a time checks whether it has recovered.
    const maxRequests = this.#consecutiveFailures > 0 ? 1 : maxConcurrentRequests
    const { pending } = this.#state
    const busyTaskIds = new Set(
      pending.filter(({ stage }) => stage === 'sending').map(({ answer }) => answer.taskId),
    )
    for (const item of pending) {
      if (busyTaskIds.size >= maxRequests) return
      // If two tabs answered the same task, the older answer is sent first.
      if (item.stage !== 'queued' || busyTaskIds.has(item.answer.taskId)) continue
      busyTaskIds.add(item.answer.taskId)
      void this.#sendIfOwned(item)
    }
  }

  async #sendIfOwned(item: PendingAnswer): Promise<void> {
    this.#update(({ key }) => key === item.key, { stage: 'sending' }, 'soon')
    this.#startingKeys.add(item.key)
    const isStored = (await this.#saving.get(item.key)) ?? item.isStored
    // `false`: another tab signed the person out or adopted this answer. `undefined`: the store can't
    // be read, so the answer is sent.
    const isOwn = isStored ? await this.#store.isOwn(item.key) : undefined
    // The page may close, so `flush` has sent it.
    if (!this.#startingKeys.delete(item.key)) return
    if (isOwn === false) {
      this.#change({ pending: this.#state.pending.filter(({ key }) => key !== item.key) })
      return this.#sendQueued()
    }
    if (this.#isStarted) return await this.#deliver(item)
    this.#update(({ key }) => key === item.key, { stage: 'waiting', isDelayed: true })
  }

  async #deliver(item: PendingAnswer): Promise<void> {
    this.#update(({ key }) => key === item.key, { stage: 'sending' }, 'soon')
    const keepalive = this.#keepaliveBudget.reserve(item.key, item.answer)
    const result = await this.#send(item.answer, this.#person, keepalive)
    this.#keepaliveBudget.release(item.key)
    // The person signed out in the meantime.
    if (!this.#state.pending.some(({ key }) => key === item.key)) return
    if (result.kind === 'unsure') {
      this.#retryLater(item, result.problem)
    } else {
      this.#consecutiveFailures = 0
      this.#change({ retryStatus: undefined }, 'soon')
      if (result.kind === 'sent') this.#recordSent(item, result.openRevision)
      else this.#recordFailure(item, result.failure)
    }
    this.#sendQueued()
  }

  #recordSent(item: PendingAnswer, openRevision: number | undefined): void {
    const { taskId } = item.answer
    const { sent, hidden, answeredRevisions } = this.#state
    const pending = this.#state.pending.filter(({ key }) => key !== item.key)
    const answered =
      openRevision === undefined
        ? { sent: new Set(sent).add(taskId), hidden: item.stays ? hidden : new Set(hidden).add(taskId) }
        : { answeredRevisions: new Map(answeredRevisions).set(taskId, openRevision) }
    this.#change({ pending, ...answered }, 'soon')
    void this.#store.remove([item.key])
    this.onSettled(item.answer, undefined)
  }

  #recordFailure(item: PendingAnswer, failure: Failure): void {
    if (hasTaskEnded(failure) && !item.stays)
      this.#change({ hidden: new Set(this.#state.hidden).add(item.answer.taskId) }, 'soon')
    this.#update(({ key }) => key === item.key, { stage: 'failed', failure }, 'soon')
    void this.#store.save([{ ...toStored(item), failure }])
    this.onSettled(item.answer, failure)
  }

  #retryLater(item: PendingAnswer, problem: HandrailProblem): void {
    // An outage would fail the other queued answers too. A 500 may concern only this answer, a 403 only its workspace.
    const isOutage = problem.status !== 500 && problem.status !== 403
    this.#change({ retryStatus: problem.status }, 'soon')
    this.#update(({ key, stage }) => key === item.key || (isOutage && stage === 'queued'), {
      stage: 'waiting',
      isDelayed: true,
    })
    if (problem.status === 401) {
      this.stop()
      return
    }
    this.#consecutiveFailures += 1
    const seconds = problem.retryAfterSeconds ?? 2 ** this.#consecutiveFailures
    clearTimeout(this.#retryTimer)
    this.#retryTimer = setTimeout(() => this.retryNow(), Math.min(seconds * 1_000, maxRetryDelayMilliseconds))
  }

  #remove(isRemoved: (item: PendingAnswer) => boolean): Answer[] {
    const removed = this.#state.pending.filter(isRemoved)
    if (removed.length === 0) return []
    const pending = this.#state.pending.filter((item) => !isRemoved(item))
    const isOfLast = ({ entryId }: PendingAnswer) => entryId === this.#state.lastDue?.entryId
    const isLastGone = removed.some(isOfLast) && !pending.some(isOfLast)
    this.#change({ pending, ...(isLastGone && { lastDue: undefined }) })
    void this.#store.remove(removed.map(({ key }) => key))
    return removed.map(({ answer }) => answer)
  }

  #update(matches: (item: PendingAnswer) => boolean, change: Partial<PendingAnswer>, notify?: 'soon'): void {
    if (!this.#state.pending.some(matches)) return
    this.#change(
      { pending: this.#state.pending.map((item) => (matches(item) ? { ...item, ...change } : item)) },
      notify,
    )
  }

  #change(change: Partial<QueueState>, notify?: 'soon'): void {
    this.#state = { ...this.#state, ...change }
    if (notify === 'soon') {
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

const queues = new Map<string, AnswerQueue>()

/** One queue per person, because several people may use this browser. */
export function answerQueueOf({ userId, email }: Person): AnswerQueue {
  const queue = queues.get(userId) ?? new AnswerQueue({ userId, email })
  queues.set(userId, queue)
  return queue
}
