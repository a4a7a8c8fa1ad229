import { type Answer, bodyOf } from './send-answer.ts'

// Browsers limit the keepalive requests of a page to 64 KiB in total. Answers and drafts share this
// limit.
const maxBytes = 48 * 1024
export const maxKeepaliveDraftBytes = 8 * 1024

/** Limits the bytes of answers in keepalive requests, which continue after the page is closed. */
export class KeepaliveBudget {
  readonly #bytesByKey = new Map<string, number>()

  fits(...answers: Answer[]): boolean {
    const used = [...this.#bytesByKey.values()].reduce((sum, bytes) => sum + bytes, 0)
    return answers.reduce((sum, answer) => sum + bodySizeOf(answer), used) <= maxBytes
  }

  /** Whether the answer fits. Its bytes count until `release`. */
  reserve(key: string, answer: Answer): boolean {
    const fits = this.fits(answer)
    if (fits) this.#bytesByKey.set(key, bodySizeOf(answer))
    return fits
  }

  has(key: string): boolean {
    return this.#bytesByKey.has(key)
  }

  release(key: string): void {
    this.#bytesByKey.delete(key)
  }
}

/** Size of the request body, in bytes. */
function bodySizeOf(answer: Answer): number {
  return new Blob([JSON.stringify(bodyOf(answer))]).size
}
