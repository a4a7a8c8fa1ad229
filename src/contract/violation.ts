/** One thing that is wrong with what was sent: where, and what to do about it. */
export type Violation = { path: string; message: string }

// A reader needs no more to find the place, and a name of 1 MiB must not come back fifty times.
const LONGEST_NAME = 80
const LONGEST_LIST = 50

/** `items` then 2 then `odd name` gives `items[2]["odd name"]`. The root is the empty path. */
export function pathTo(parent: string, step: string | number): string {
  if (typeof step === 'number') return `${parent}[${step}]`
  const name = step.length > LONGEST_NAME ? `${step.slice(0, LONGEST_NAME)}…` : step
  if (!/^[\p{ID_Start}$_][\p{ID_Continue}$-]*$/u.test(name)) return `${parent}[${JSON.stringify(name)}]`
  return parent === '' ? name : `${parent}.${name}`
}

export function pathOf(steps: Iterable<string | number>): string {
  let path = ''
  for (const step of steps) path = pathTo(path, step)
  return path
}

/** Collects violations without repeats; the fiftieth and all after it become one that says there are more. */
export class Violations {
  readonly list: Violation[] = []
  readonly #seen = new Set<string>()
  full = false

  add(path: string, message: string): void {
    const key = `${path}\n${message}`
    if (this.full || this.#seen.has(key)) return
    this.#seen.add(key)
    if (this.list.length < LONGEST_LIST) {
      this.list.push({ path, message })
      return
    }
    this.full = true
    this.list[LONGEST_LIST - 1] = {
      path: '',
      message: `There are more than ${LONGEST_LIST - 1} problems; the rest is not listed. Correct these first.`,
    }
  }

  addAll(violations: Iterable<Violation>): void {
    for (const { path, message } of violations) this.add(path, message)
  }
}
