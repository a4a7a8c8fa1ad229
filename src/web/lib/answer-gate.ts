import { currentPress } from './presses.ts'

// How long something must have been in view before it can be answered.
const visibleMilliseconds = 300
// Keys that follow each other faster than this are typed text.
const typingMilliseconds = 700

/**
 * Whether a press may answer what is shown. It may not when it was meant for what stood there before: a held key, the second
 * click of a double click, or any press until the content has been painted and in view for a moment.
 */
export class AnswerGate {
  #isOpen = false
  #refusedKey: string | undefined
  #listener: ((isOpen: boolean) => void) | undefined

  /** The content is in the page now. Returns a function that ends it. */
  show(): () => void {
    let frame = 0
    let timer: ReturnType<typeof setTimeout> | undefined
    const close = () => {
      cancelAnimationFrame(frame)
      clearTimeout(timer)
      this.#change(false)
    }
    const begin = () => {
      close()
      if (document.visibilityState !== 'visible') return
      // The second frame begins when the first has been painted.
      frame = requestAnimationFrame(() => {
        frame = requestAnimationFrame(() => {
          timer = setTimeout(() => this.#change(true), visibleMilliseconds)
        })
      })
    }
    begin()
    document.addEventListener('visibilitychange', begin)
    return () => {
      document.removeEventListener('visibilitychange', begin)
      close()
    }
  }

  /** Whether the press that is being handled may answer. */
  takes(): boolean {
    const { isRepeated, key, pause } = currentPress()
    // Whoever begins to type a reason for a dialog that did not open must not answer by one of its letters.
    const isTypedOn = this.#refusedKey !== undefined && key !== this.#refusedKey && pause < typingMilliseconds
    if (!this.#isOpen || isRepeated || isTypedOn) {
      this.refuse()
      return false
    }
    this.#refusedKey = undefined
    return true
  }

  /** The press that is being handled came too early. */
  refuse(): void {
    this.#refusedKey ??= currentPress().key
  }

  /** Calls back now and with each change. Returns a function that ends it. */
  follow(listener: (isOpen: boolean) => void): () => void {
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
