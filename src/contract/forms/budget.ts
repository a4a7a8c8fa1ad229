/** Thrown when a form or an answer would take too long to check. */
export class TooComplex extends Error {}

/**
 * Limits the work on the forms of a task or on one answer, so that it cannot delay other requests.
 * One step takes about a microsecond on a slow core. Listing one subschema or keyword takes a
 * quarter of a step.
 */
export class Budget {
  #remaining: number

  constructor(steps: number) {
    this.#remaining = steps
  }

  get remaining(): number {
    return Math.max(this.#remaining, 0)
  }

  spend(steps: number): void {
    this.#remaining -= steps
    if (this.#remaining < 0) throw new TooComplex()
  }
}
