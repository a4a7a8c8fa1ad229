/** Thrown when something a sender or a person wrote would take too long to check. */
export class TooComplex extends Error {}

/**
 * Counts the work that one request causes, so that no form and no answer can hold up the others, however it is
 * written. One step takes about a microsecond on a slow core.
 */
export class Budget {
  #left: number

  constructor(steps: number) {
    this.#left = steps
  }

  get left(): number {
    return Math.max(this.#left, 0)
  }

  spend(steps: number): void {
    this.#left -= steps
    if (this.#left < 0) throw new TooComplex()
  }
}
