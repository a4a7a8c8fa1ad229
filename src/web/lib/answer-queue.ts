import type { HandrailProblem } from '../../client/problem.ts'
import * as browserStore from './answer-store.ts'
import { keyOf, tabId } from './answer-store.ts'
import {
  asAdopted,
  asKept,
  type Entry,
  entriesOf,
  isUnsent,
  isUnsettled,
  type PendingAnswer,
  type QueueState,
  type ReturnedAnswer,
  type Stage,
  sizeOf,
} from './pending-answers.ts'
import { type Answer, type Failure, type Outcome, type Person, sendAnswer } from './send-answer.ts'

type Options = { seconds: number; stays?: boolean }
type Store = Pick<typeof browserStore, 'keep' | 'forget' | 'isOwn' | 'adopt' | 'forgetAllOf'>
type Send = (answer: Answer, person: Person, keepalive: boolean) => Promise<Outcome>

// Requests that outlive their page share 64 KiB, and drafts may need 8 of them.
const mostOutlivingBytes = 48 * 1024
const mostAtATime = 4
const longestPauseMilliseconds = 30_000
// Many answers may arrive at once; drawing the page for each of them would take longer than sending them.
const drawMilliseconds = 50

/**
 * What a person has answered, until the service has it. For a few seconds it can be taken back, then it is sent. It is kept
 * in the browser from the first moment on, so that neither a service that is away nor a closed tab loses it.
 */
export class AnswerQueue {
  #state: QueueState = {
    pending: [],
    sent: new Set(),
    gone: new Set(),
    lastDue: undefined,
    returned: undefined,
    isAway: false,
  }
  readonly #person: Person
  readonly #store: Store
  readonly #send: Send
  readonly #listeners = new Set<() => void>()
  readonly #timers = new Map<string, ReturnType<typeof setTimeout>>()
  readonly #keeping = new Map<string, Promise<boolean>>()
  #isStarted = false
  #given = 0
  #failures = 0
  #outlivingBytes = 0
  #retry: ReturnType<typeof setTimeout> | undefined
  #draw: ReturnType<typeof setTimeout> | undefined
  /** Called for each answer that was sent or will not be. */
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

  /** The person is signed in. Until then, and after `stop`, nothing is sent. */
  start(): void {
    this.#isStarted = true
    this.tryNow()
  }

  stop(): void {
    this.#isStarted = false
    clearTimeout(this.#retry)
  }

  /** Returns the id of the entry. */
  give(answers: Answer[], { seconds, stays = false }: Options): string {
    const now = Date.now()
    this.#given += 1
    const entryId = `${tabId}.${this.#given}`
    const known = new Set(this.#state.pending.filter(isUnsettled).map(({ answer }) => answer.taskId))
    const given = answers
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
          isKept: undefined,
        }),
      )
    // A new answer replaces one that the service has refused.
    const taskIds = new Set(given.map(({ answer }) => answer.taskId))
    this.#remove(({ answer, failure }) => failure?.isLost === false && taskIds.has(answer.taskId))
    this.#change({ pending: [...this.#state.pending, ...given] })
    this.#keep(given)
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

  /** Those that can be taken back, oldest first. */
  held(): Entry[] {
    return entriesOf(this.#state.pending.filter(({ stage }) => stage === 'held'))
  }

  /** Nothing of it is sent; the tasks are as they were. By default the newest. */
  takeBack(entryId = this.held().at(-1)?.entryId): Answer[] {
    if (entryId === undefined) return []
    clearTimeout(this.#timers.get(entryId))
    return this.#remove((one) => one.entryId === entryId && one.stage === 'held')
  }

  /** One that is listed as unsent and is not being sent right now. */
  giveUp(key: string): Answer | undefined {
    return this.#remove((one) => one.key === key && isUnsent(one) && one.stage !== 'sending')[0]
  }

  sendNow(entryId: string): void {
    this.#endHold(entryId)
    this.#stage((one) => one.entryId === entryId && one.stage === 'held', 'queued')
    this.#pump()
  }

  /** What could not be sent, once more; also what tabs that are gone have left. */
  tryNow(): void {
    if (!this.#isStarted) return
    clearTimeout(this.#retry)
    void this.#store.adopt(this.#person.userId).then((kept) => {
      const known = new Set(this.#state.pending.map(({ key }) => key))
      const adopted = kept.filter(({ key }) => !known.has(key)).map(asAdopted)
      if (adopted.length > 0) {
        const pending = [...adopted, ...this.#state.pending].sort((a, b) => a.givenAt - b.givenAt)
        this.#change({ pending })
      }
      this.#stage(({ stage }) => stage === 'waiting', 'queued')
      this.#pump()
    })
  }

  /** The page may end now: what fits goes out at once in requests that outlive it. The rest stays in the browser. */
  flush(): void {
    if (!this.#isStarted) return
    for (const one of this.#state.pending) {
      const isDue = one.stage === 'held' || one.stage === 'queued'
      if (!isDue || !this.#mayOutlive(one.answer)) continue
      this.#endHold(one.entryId)
      void this.#deliver(one)
    }
  }

  /** Whether closing the page now would lose an answer, or leave one behind that the person believes sent. */
  isLeavingSafe(): boolean {
    const { pending } = this.#state
    const unsent = pending.filter(({ stage }) => stage !== 'failed')
    const due = unsent.filter(({ stage }) => stage === 'held' || stage === 'queued')
    const bytes = due.reduce((sum, { answer }) => sum + sizeOf(answer), this.#outlivingBytes)
    const mayFail = this.#failures > 0 || !navigator.onLine
    const isSafe = ({ isKept, stage }: PendingAnswer) => isKept || (stage !== 'waiting' && !mayFail)
    return bytes <= mostOutlivingBytes && unsent.every(isSafe)
  }

  /** Resolves when no answer of the entry is on its way any more: with why one will not be sent, if so. */
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

  /** Sends all there is, and resolves when it was tried. For whoever signs out. */
  async settleAll(): Promise<void> {
    const entries = [...new Set(this.#state.pending.map(({ entryId }) => entryId))]
    for (const entryId of entries) this.sendNow(entryId)
    this.#stage(({ stage }) => stage === 'waiting', 'queued')
    this.#pump()
    await Promise.all(entries.map((entryId) => this.settled(entryId)))
  }

  /** The person signs out: nothing of theirs stays in this browser. */
  async discard(): Promise<void> {
    this.stop()
    for (const timer of this.#timers.values()) clearTimeout(timer)
    this.#change({ pending: [], returned: undefined, lastDue: undefined })
    await this.#store.forgetAllOf(this.#person.userId)
  }

  /** A failover may have lost what was sent: whether those tasks have ended, only the service knows now. */
  startOver(): void {
    this.#change({ sent: new Set(), gone: new Set() })
  }

  giveBack(returned: ReturnedAnswer): void {
    this.#change({ returned })
  }

  /** For the task itself: it takes over what came back. */
  collect(taskId: string): ReturnedAnswer | undefined {
    const { returned, pending } = this.#state
    if (returned?.answer.taskId === taskId) {
      this.#change({ returned: undefined })
      return returned
    }
    const refused = pending.find(
      ({ answer, failure }) => answer.taskId === taskId && failure?.isLost === false,
    )
    if (!refused) return undefined
    this.giveUp(refused.key)
    return { answer: refused.answer, failure: refused.failure }
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

  #keep(given: PendingAnswer[]): void {
    const keeping = this.#store.keep(given.map(asKept))
    const keys = new Set(given.map(({ key }) => key))
    for (const key of keys) this.#keeping.set(key, keeping)
    void keeping.then((isKept) => this.#update((one) => keys.has(one.key), { isKept }))
  }

  #pump(): void {
    if (!this.#isStarted) return
    // While the service is away, one at a time finds out whether it is back.
    const most = this.#failures > 0 ? 1 : mostAtATime
    const { pending } = this.#state
    const busy = new Set(
      pending.filter(({ stage }) => stage === 'sending').map(({ answer }) => answer.taskId),
    )
    for (const one of pending) {
      if (busy.size >= most) return
      // Of two answers to one task, given in two tabs, the older is sent first.
      if (one.stage !== 'queued' || busy.has(one.answer.taskId)) continue
      busy.add(one.answer.taskId)
      void this.#sendOwn(one)
    }
  }

  async #sendOwn(one: PendingAnswer): Promise<void> {
    this.#stage(({ key }) => key === one.key, 'sending', 'soon')
    const isKept = await this.#keeping.get(one.key)
    // Another tab has signed the person out, or has taken it over. A store that broke says neither: then it is sent.
    if ((isKept ?? one.isKept) && (await this.#store.isOwn(one.key)) === false) {
      this.#change({ pending: this.#state.pending.filter(({ key }) => key !== one.key) })
      return this.#pump()
    }
    if (this.#isStarted) return await this.#deliver(one)
    this.#update(({ key }) => key === one.key, { stage: 'waiting', isDelayed: true })
  }

  async #deliver(one: PendingAnswer): Promise<void> {
    this.#stage(({ key }) => key === one.key, 'sending', 'soon')
    const outlives = this.#mayOutlive(one.answer)
    const bytes = outlives ? sizeOf(one.answer) : 0
    this.#outlivingBytes += bytes
    const outcome = await this.#send(one.answer, this.#person, outlives)
    this.#outlivingBytes -= bytes
    // The person has signed out meanwhile.
    if (!this.#state.pending.some(({ key }) => key === one.key)) return
    if (outcome.kind === 'unsure') {
      this.#wait(one, outcome.problem)
    } else {
      this.#failures = 0
      this.#change({ isAway: false }, 'soon')
      if (outcome.kind === 'sent') this.#settle(one)
      else this.#fail(one, outcome.failure)
    }
    this.#pump()
  }

  #settle(one: PendingAnswer): void {
    const { taskId } = one.answer
    const { sent, gone, pending } = this.#state
    this.#change(
      {
        pending: pending.filter(({ key }) => key !== one.key),
        sent: new Set(sent).add(taskId),
        gone: one.stays ? gone : new Set(gone).add(taskId),
      },
      'soon',
    )
    void this.#store.forget([one.key])
    this.onSettled(one.answer, undefined)
  }

  #fail(one: PendingAnswer, failure: Failure): void {
    const { gone } = this.#state
    if (failure.isLost && !one.stays) this.#change({ gone: new Set(gone).add(one.answer.taskId) }, 'soon')
    this.#update(({ key }) => key === one.key, { stage: 'failed', failure }, 'soon')
    void this.#store.keep([{ ...asKept(one), failure }])
    this.onSettled(one.answer, failure)
  }

  #wait(one: PendingAnswer, problem: HandrailProblem): void {
    // Where the service is away, the others would fare no better.
    const stopsAll = problem.status !== 500
    this.#change({ isAway: true }, 'soon')
    this.#update(({ key, stage }) => key === one.key || (stopsAll && stage === 'queued'), {
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
    this.#retry = setTimeout(() => this.tryNow(), Math.min(seconds * 1_000, longestPauseMilliseconds))
  }

  #mayOutlive(answer: Answer): boolean {
    return this.#outlivingBytes + sizeOf(answer) <= mostOutlivingBytes
  }

  #remove(isRemoved: (one: PendingAnswer) => boolean): Answer[] {
    const { pending } = this.#state
    const removed = pending.filter(isRemoved)
    if (removed.length === 0) return []
    this.#change({ pending: pending.filter((one) => !isRemoved(one)) })
    void this.#store.forget(removed.map(({ key }) => key))
    return removed.map(({ answer }) => answer)
  }

  #stage(which: (one: PendingAnswer) => boolean, stage: Stage, when?: 'soon'): void {
    this.#update(which, { stage }, when)
  }

  #update(which: (one: PendingAnswer) => boolean, change: Partial<PendingAnswer>, when?: 'soon'): void {
    if (!this.#state.pending.some(which)) return
    this.#change(
      { pending: this.#state.pending.map((one) => (which(one) ? { ...one, ...change } : one)) },
      when,
    )
  }

  #change(change: Partial<QueueState>, when?: 'soon'): void {
    this.#state = { ...this.#state, ...change }
    if (when === 'soon') {
      this.#draw ??= setTimeout(() => this.#tell(), drawMilliseconds)
      return
    }
    this.#tell()
  }

  #tell(): void {
    clearTimeout(this.#draw)
    this.#draw = undefined
    for (const listener of this.#listeners) listener()
  }
}

const byPerson = new Map<string, AnswerQueue>()

export function answersOf({ userId, email }: Person): AnswerQueue {
  const known = byPerson.get(userId)
  if (known) return known
  const queue = new AnswerQueue({ userId, email })
  byPerson.set(userId, queue)
  return queue
}
