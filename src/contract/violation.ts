/** One thing that is wrong with what was sent: where, and what to do about it. */
export type Violation = { path: string; message: string }

// A reader needs no more to find the place, and a name of 1 MiB must not come back fifty times.
const longestValue = 80
const longestPath = 400
const longestMessage = 600
const longestList = 50
// Of the list as JSON. A tool result has it as JSON and as JSON inside JSON, and stays below 64 KiB all the same.
const mostBytes = 20 * 1024
// Repeats are not listed, but finding them costs as much as finding others.
const mostFindings = 100

const moreThan = 'There are more than '

const encoder = new TextEncoder()

/** `items` then 2 then `odd name` gives `items[2]["odd name"]`. The root is the empty path. */
export function pathTo(parent: string, step: string | number): string {
  if (typeof step === 'number') return `${parent}[${step}]`
  const name = cut(step, longestValue)
  if (!/^[\p{ID_Start}$_][\p{ID_Continue}$-]*$/u.test(name)) return `${parent}[${JSON.stringify(name)}]`
  return parent === '' ? name : `${parent}.${name}`
}

export function pathOf(steps: Iterable<string | number>): string {
  let path = ''
  for (const step of steps) path = pathTo(path, step)
  return path
}

/** A value as messages quote it: JSON, and cut where it is long. */
export function quoted(value: unknown): string {
  return cut(JSON.stringify(typeof value === 'string' ? cut(value, longestValue) : value), longestMessage)
}

/**
 * Collects violations without repeats. There are at most 50; where more were found, or they would not fit into a
 * response, the last one says so, and `isFull` tells whoever looks for more to stop.
 */
export class Violations {
  readonly list: Violation[] = []
  readonly #seen = new Set<string>()
  #findings = 0
  #bytes = 0
  isFull = false

  add(path: string, message: string): void {
    if (this.isFull) return
    const found = { path: cutInside(path, longestPath), message: cut(message, longestMessage) }
    const key = JSON.stringify(found)
    if (!this.#seen.has(key)) {
      this.#seen.add(key)
      this.#bytes += encoder.encode(key).length
      if (this.list.length < longestList && this.#bytes <= mostBytes) this.list.push(found)
      else this.#close()
    }
    if (++this.#findings === mostFindings && !this.isFull) this.#close()
  }

  addAll(violations: Iterable<Violation>): void {
    for (const { path, message } of violations) {
      if (this.isFull) return
      this.add(path, message)
    }
  }

  #close(): void {
    this.isFull = true
    if (this.list.length === longestList) this.list.pop()
    const listed = this.list.length === 1 ? '1 problem' : `${this.list.length} problems`
    const message = `${moreThan}${listed}; the rest is not listed. Correct these first.`
    this.list.push({ path: '', message })
  }
}

/** How many fields a list of violations names: "3 fields are invalid", or "49 or more fields are invalid". */
export function countInvalid(list: Violation[], noun = 'field'): string {
  const listed = list.filter(({ path, message }) => path !== '' || !message.startsWith(moreThan))
  const count = new Set(listed.map(({ path }) => path)).size
  if (listed.length < list.length) return `${count} or more ${noun}s are invalid`
  return count === 1 ? `1 ${noun} is invalid` : `${count} ${noun}s are invalid`
}

function cut(text: string, longest: number): string {
  return text.length > longest ? `${text.slice(0, longest)}…` : text
}

/** Keeps both ends of a path: where it begins, and the field itself. */
function cutInside(text: string, longest: number): string {
  if (text.length <= longest) return text
  const half = longest / 2
  return `${text.slice(0, half)}…${text.slice(-half)}`
}
