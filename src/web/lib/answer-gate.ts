import { currentPress, topDialog } from './presses.ts'

// How long the content must have been visible before it can be answered.
const minVisibleMilliseconds = 300

/**
 * Whether a key press or click may answer the task on screen. Rejects input meant for the previous
 * content: held keys, double clicks, and anything before the content has been visible for 300 ms.
 */
export class AnswerGate {
  #isOpen = false
  #seenRevision: number | undefined
  #refusedKey: string | undefined
  #listener: ((isOpen: boolean) => void) | undefined

  /**
   * Call when the content is rendered. Opens the gate once the content has been visible for long
   * enough, and returns a function that closes it. `revision` is the revision of the rendered task. A
   * new revision that appears behind a dialog counts as visible only once the dialog is closed.
   */
  openWhenVisible(revision?: number): () => void {
    let frame = 0
    let timer: ReturnType<typeof setTimeout> | undefined
    // A dialog over the first revision is ignored, because the person opened it from that revision.
    this.#seenRevision ??= revision
    const isBehindDialog = () => revision !== this.#seenRevision && topDialog() !== undefined
    const close = () => {
      dialogs.disconnect()
      cancelAnimationFrame(frame)
      clearTimeout(timer)
      this.#change(false)
    }
    const restart = () => {
      close()
      if (document.visibilityState !== 'visible') return
      // The second frame starts after the first has been painted.
      frame = requestAnimationFrame(() => {
        frame = requestAnimationFrame(() => {
          if (isBehindDialog()) restartLater()
          else timer = setTimeout(open, minVisibleMilliseconds)
        })
      })
    }
    const open = () => {
      if (isBehindDialog()) return restartLater()
      this.#seenRevision = revision
      this.#change(true)
    }
    // Dialogs are children of the body, so closing one removes a child of the body.
    const dialogs = new MutationObserver(() => !isBehindDialog() && restart())
    const restartLater = () => dialogs.observe(document.body, { childList: true })
    restart()
    document.addEventListener('visibilitychange', restart)
    return () => {
      document.removeEventListener('visibilitychange', restart)
      close()
    }
  }

  /**
   * The last revision that was visible for long enough to be answered; the first revision until one
   * was.
   */
  get seenRevision(): number | undefined {
    return this.#seenRevision
  }

  /**
   * Returns whether the current press may answer, and records it as accepted or refused. Call it once
   * per press.
   */
  tryAccept(): boolean {
    const { isRepeated, key, previousKey, isQuick } = currentPress()
    const isSecondAttempt = key === this.#refusedKey && key === previousKey
    if (this.#refusedKey !== undefined && isQuick && !isSecondAttempt) {
      // The person types text for a dialog that did not open. None of the letters may answer, or
      // count as a second attempt.
      this.#refusedKey = ''
      return false
    }
    if (!this.#isOpen || isRepeated) {
      this.refuse()
      return false
    }
    this.#refusedKey = undefined
    return true
  }

  /** Records that the current press had no effect, so that text typed right after it is ignored too. */
  refuse(): void {
    const { key, isQuick } = currentPress()
    if (!isQuick) this.#refusedKey = key
    this.#refusedKey ??= key
  }

  /**
   * Calls the listener now and whenever the gate opens or closes. A gate has at most one listener.
   * Returns an unsubscribe function.
   */
  subscribe(listener: (isOpen: boolean) => void): () => void {
    this.#listener = listener
    listener(this.#isOpen)
    return () => {
      this.#listener = undefined
    }
  }

  #change(isOpen: boolean): void {
    this.#isOpen = isOpen
    this.#listener?.(isOpen)
  }
}
