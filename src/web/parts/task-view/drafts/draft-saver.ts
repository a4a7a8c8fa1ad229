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

/**
 * Saves the drafts of one task, also after its pane was closed. Requests for the same action do not
 * overlap, because an older text that arrives last would replace the newer one. The exception is
 * `saveBeforeLeaving`.
 */
class DraftSaver {
  readonly #api: Pick<MemberClient, 'saveDraft'>
  readonly #userId: string
  readonly #taskId: string
  /** The newest draft per action that is not being saved yet. */
  readonly #waiting = new Map<string, Draft>()
  /** Requests under way, by action. */
  readonly #busy = new Map<string, Promise<void>>()
  #failures = 0
  #isStopped = false
  #timer: ReturnType<typeof setTimeout> | undefined
  /** Called when the state changes. Set by the pane that shows the task. */
  onState: (state: DraftState) => void = () => undefined

  constructor(api: Pick<MemberClient, 'saveDraft'>, userId: string, taskId: string) {
    this.#api = api
    this.#userId = userId
    this.#taskId = taskId
  }

  /** Saves the draft after a pause in typing. */
  change(draft: Draft): void {
    keepUnsaved(this.#userId, this.#taskId, draft)
    this.#waiting.set(draft.actionId, draft)
    this.onState('saving')
    this.#saveIn(debounceMilliseconds)
  }

  /** Saves drafts that this tab has kept. */
  resume(kept: Draft[]): void {
    for (const draft of kept) {
      const waiting = this.#waiting.get(draft.actionId)
      if (!waiting || waiting.updatedAt < draft.updatedAt) this.#waiting.set(draft.actionId, draft)
    }
    this.save()
  }

  /** Saves the waiting drafts now, except while an earlier draft for the same action is being saved. */
  readonly save = (): void => {
    clearTimeout(this.#timer)
    for (const draft of [...this.#waiting.values()]) {
      if (this.#busy.has(draft.actionId)) continue
      this.#waiting.delete(draft.actionId)
      this.#busy.set(draft.actionId, this.#saveOne(draft))
    }
  }

  /**
   * The page may close, so this does not wait for requests under way. If the page stays open,
   * `#saveOne` saves the waiting drafts again.
   */
  readonly saveBeforeLeaving = (): void => {
    this.save()
    for (const draft of this.#waiting.values()) this.#send(draft).catch(() => undefined)
  }

  /** Resolves after an attempt to save each draft. */
  async saveAll(): Promise<void> {
    this.save()
    await Promise.all(this.#busy.values())
    // Some drafts had to wait for a request under way.
    this.save()
    await Promise.all(this.#busy.values())
  }

  /** Stops retrying, because a retry would be sent in the session of the next person. */
  stop(): void {
    this.#isStopped = true
    clearTimeout(this.#timer)
    this.#waiting.clear()
  }

  async #saveOne(draft: Draft): Promise<void> {
    const { actionId } = draft
    try {
      await this.#send(draft)
      this.#failures = 0
      dropUnsaved(this.#userId, this.#taskId, draft)
      this.onState(this.#waiting.size > 0 ? 'saving' : 'saved')
    } catch (thrown) {
      const { status } = asProblem(thrown)
      const isTransient = status === 0 || status === 429 || status >= 500
      this.onState(isTransient ? 'failed' : 'refused')
      if (isTransient && !this.#isStopped) {
        this.#failures += 1
        if (!this.#waiting.has(actionId)) this.#waiting.set(actionId, draft)
      }
    }
    this.#busy.delete(actionId)
    const backoff = Math.min(1_000 * 2 ** this.#failures, maxBackoffMilliseconds)
    if (this.#waiting.has(actionId)) this.#saveIn(this.#failures > 0 ? backoff : debounceMilliseconds)
  }

  async #send({ actionId, data, revision }: Draft): Promise<void> {
    const body = { data, revision }
    const keepalive = new Blob([JSON.stringify(body)]).size < maxKeepaliveDraftBytes
    await this.#api.saveDraft(this.#taskId, actionId, body, { keepalive })
  }

  #saveIn(milliseconds: number): void {
    if (this.#isStopped) return
    clearTimeout(this.#timer)
    this.#timer = setTimeout(this.save, milliseconds)
  }
}

const savers = new Map<string, DraftSaver>()
registerInMemoryDrafts({
  save: (userId) => Promise.all(saversOf(userId).map((saver) => saver.saveAll())),
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
  const saver = savers.get(key) ?? new DraftSaver(api, userId, taskId)
  savers.set(key, saver)
  return saver
}
