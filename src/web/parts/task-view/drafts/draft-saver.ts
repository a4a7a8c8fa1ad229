import type { MemberClient } from '../../../../client/member.ts'
import type { Draft } from '../../../../contract/inbox.ts'
import { deleteKeysOf, registerInMemoryDrafts } from '../../../lib/in-memory-drafts.ts'
import { maxKeepaliveDraftBytes } from '../../../lib/keepalive-budget.ts'
import { asProblem } from '../../../lib/problem.ts'
import { dropUnsaved, keepUnsaved } from '../../answers/unsaved-drafts.ts'

const debounceMilliseconds = 800
const maxBackoffMilliseconds = 30_000

/** `failed` is retried, `refused` is not. */
export type DraftState = 'untouched' | 'saving' | 'saved' | 'failed' | 'refused'

type DraftTarget = { api: Pick<MemberClient, 'saveDraft'>; userId: string; taskId: string }

/**
 * Saves the draft of one action. Requests do not overlap, because an older text that arrives last
 * would replace the newer one. The exception is `saveBeforeLeaving`.
 */
class ActionDraftSaver {
  readonly #target: DraftTarget
  readonly #onState: (state: DraftState) => void
  /** The newest draft, until its request starts. */
  #waiting: Draft | undefined
  /** The request under way. */
  #busy: Promise<void> | undefined
  #failures = 0
  #isStopped = false
  #timer: ReturnType<typeof setTimeout> | undefined

  constructor(target: DraftTarget, onState: (state: DraftState) => void) {
    this.#target = target
    this.#onState = onState
  }

  /** Saves the draft after a pause in typing. */
  change(draft: Draft): void {
    keepUnsaved(this.#target.userId, this.#target.taskId, draft)
    this.#waiting = draft
    this.#onState('saving')
    this.#saveIn(debounceMilliseconds)
  }

  /** Saves a draft that this tab has kept, or the waiting draft if that is newer. */
  resume(kept: Draft): void {
    if (!this.#waiting || this.#waiting.updatedAt < kept.updatedAt) this.#waiting = kept
    this.save()
  }

  /** Saves the waiting draft now, except while an earlier one is being saved. */
  save(): void {
    if (this.#waiting === undefined || this.#busy !== undefined) return
    clearTimeout(this.#timer)
    const draft = this.#waiting
    this.#waiting = undefined
    this.#busy = this.#saveNow(draft)
  }

  /**
   * The page may close, so this does not wait for the request under way. If the page stays open,
   * `#saveNow` saves the waiting draft again.
   */
  saveBeforeLeaving(): void {
    this.save()
    if (this.#waiting) this.#send(this.#waiting).catch(() => undefined)
  }

  /** Resolves after an attempt to save the newest draft. */
  async attempt(): Promise<void> {
    this.save()
    await this.#busy
    // A newer draft had to wait for the request that was under way.
    this.save()
    await this.#busy
  }

  /** Stops retrying, because a retry would be sent in the session of the next person. */
  stop(): void {
    this.#isStopped = true
    clearTimeout(this.#timer)
    this.#waiting = undefined
  }

  async #saveNow(draft: Draft): Promise<void> {
    try {
      await this.#send(draft)
      this.#failures = 0
      dropUnsaved(this.#target.userId, this.#target.taskId, draft)
      this.#onState(this.#waiting ? 'saving' : 'saved')
    } catch (thrown) {
      const { status } = asProblem(thrown)
      const isTransient = status === 0 || status === 429 || status >= 500
      this.#onState(isTransient ? 'failed' : 'refused')
      if (isTransient && !this.#isStopped) {
        this.#failures += 1
        this.#waiting ??= draft
      }
    }
    this.#busy = undefined
    const backoff = Math.min(1_000 * 2 ** this.#failures, maxBackoffMilliseconds)
    if (this.#waiting) this.#saveIn(this.#failures > 0 ? backoff : debounceMilliseconds)
  }

  async #send({ actionId, data, revision }: Draft): Promise<void> {
    const body = { data, revision }
    const keepalive = new Blob([JSON.stringify(body)]).size < maxKeepaliveDraftBytes
    await this.#target.api.saveDraft(this.#target.taskId, actionId, body, { keepalive })
  }

  #saveIn(milliseconds: number): void {
    if (this.#isStopped) return
    clearTimeout(this.#timer)
    this.#timer = setTimeout(() => this.save(), milliseconds)
  }
}

/** Saves the drafts of one task, also after its pane was closed. A failure delays only its own action. */
class DraftSaver {
  readonly #target: DraftTarget
  readonly #byAction = new Map<string, ActionDraftSaver>()
  /** Called when the state of a draft changes. Set by the pane that shows the task. */
  onState: (actionId: string, state: DraftState) => void = () => undefined

  constructor(target: DraftTarget) {
    this.#target = target
  }

  change(draft: Draft): void {
    this.#saverOf(draft.actionId).change(draft)
  }

  /** Saves drafts that this tab has kept, and those that wait. */
  resume(kept: Draft[]): void {
    for (const draft of kept) this.#saverOf(draft.actionId).resume(draft)
    this.save()
  }

  readonly save = (): void => {
    for (const saver of this.#byAction.values()) saver.save()
  }

  saveBeforeLeaving(): void {
    for (const saver of this.#byAction.values()) saver.saveBeforeLeaving()
  }

  /** Resolves after an attempt to save each draft. */
  async attemptAll(): Promise<void> {
    await Promise.all([...this.#byAction.values()].map((saver) => saver.attempt()))
  }

  stop(): void {
    for (const saver of this.#byAction.values()) saver.stop()
  }

  #saverOf(actionId: string): ActionDraftSaver {
    const onState = (state: DraftState) => this.onState(actionId, state)
    const saver = this.#byAction.get(actionId) ?? new ActionDraftSaver(this.#target, onState)
    this.#byAction.set(actionId, saver)
    return saver
  }
}

const savers = new Map<string, DraftSaver>()
registerInMemoryDrafts({
  save: (userId) => Promise.all(saversOf(userId).map((saver) => saver.attemptAll())),
  forget(userId) {
    for (const saver of saversOf(userId)) saver.stop()
    deleteKeysOf(userId, savers)
  },
})

function saversOf(userId: string): DraftSaver[] {
  return [...savers].filter(([key]) => key.startsWith(`${userId} `)).map(([, saver]) => saver)
}

/**
 * The saver of a task for a person. It is kept while the page is open, so a pane that is closed and
 * opened again continues with it.
 */
export function draftSaverOf(api: MemberClient, userId: string, taskId: string): DraftSaver {
  const key = `${userId} ${taskId}`
  const saver = savers.get(key) ?? new DraftSaver({ api, userId, taskId })
  savers.set(key, saver)
  return saver
}
