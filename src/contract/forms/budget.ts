/** Thrown when a form or an answer would take too long to check. */
export class TooComplex extends Error {}

/**
 * Limits the work on the forms of a task or on one answer, so that it cannot delay other requests.
 * Work is counted in units. One unit takes about a microsecond on a slow core. Listing one subschema
 * or keyword costs a quarter of a unit.
 */
export class Budget {
  #remaining: number

  constructor(units: number) {
    this.#remaining = units
  }

  get remaining(): number {
    return Math.max(this.#remaining, 0)
  }

  spend(units: number): void {
    this.#remaining -= units
    if (this.#remaining < 0) throw new TooComplex()
  }
}
