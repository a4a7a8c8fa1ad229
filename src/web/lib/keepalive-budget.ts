import { type Answer, bodyOf } from './send-answer.ts'

// Browsers limit the keepalive requests of a page to 64 KiB in total. Answers and drafts share this
// limit.
const maxBytes = 48 * 1024
export const maxKeepaliveDraftBytes = 8 * 1024

/** Limits the bytes of answers in keepalive requests, which continue after the page is closed. */
export class KeepaliveBudget {
  #usedBytes = 0

  fits(...answers: Answer[]): boolean {
    return answers.reduce((sum, answer) => sum + bodySizeOf(answer), this.#usedBytes) <= maxBytes
  }

  /** Returns a function that releases the bytes again. */
  reserve(answer: Answer): () => void {
    const bytes = bodySizeOf(answer)
    this.#usedBytes += bytes
    return () => {
      this.#usedBytes -= bytes
    }
  }
}

/** Size of the request body, in bytes. */
function bodySizeOf(answer: Answer): number {
  return new Blob([JSON.stringify(bodyOf(answer))]).size
}
