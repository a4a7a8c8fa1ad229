/** One problem with a request: the path of the field, what is wrong and what to do. */
export type Violation = { path: string; message: string }

// Long enough to find the field; a name of 1 MiB must not be repeated fifty times in a response.
const maxValueLength = 80
const maxPathLength = 400
const maxMessageLength = 600
export const maxListLength = 50
// Of the list as JSON. A tool result contains it twice, once as escaped JSON, and stays below 64 KiB.
const maxBytes = 20 * 1024
// Duplicates are not listed, but finding them costs as much.
const maxFindings = 100

const moreThan = 'There are more than '

const encoder = new TextEncoder()

/** The steps `items`, 2, `odd name` give `items[2]["odd name"]`. The root is the empty path. */
export function pathTo(parent: string, step: string | number): string {
  if (typeof step === 'number') return `${parent}[${step}]`
  const name = truncate(step, maxValueLength)
  if (!/^[\p{ID_Start}$_][\p{ID_Continue}$-]*$/u.test(name)) return `${parent}[${JSON.stringify(name)}]`
  return parent === '' ? name : `${parent}.${name}`
}

/** A path that starts at `parent`, from the root: `data` and `["odd name"][2]` give `data["odd name"][2]`. */
export function pathBelow(parent: string, path: string): string {
  return path === '' || path.startsWith('[') ? parent + path : `${parent}.${path}`
}

export function pathOf(steps: Iterable<string | number>): string {
  let path = ''
  for (const step of steps) path = pathTo(path, step)
  return path
}

/** A value for messages: JSON, truncated if it is long. */
export function quoted(value: unknown): string {
  return truncate(
    JSON.stringify(typeof value === 'string' ? truncate(value, maxValueLength) : value),
    maxMessageLength,
  )
}

/**
 * Collects violations without duplicates, at most 50. If there are more, or they would exceed the size of
 * a response, the last one says so and `isFull` is set: callers should stop checking.
 */
export class Violations {
  readonly list: Violation[] = []
  readonly #seen = new Set<string>()
  #findings = 0
  #bytes = 0
  isFull = false

  add(path: string, message: string): void {
    if (this.isFull) return
    const found = { path: truncateMiddle(path, maxPathLength), message: truncate(message, maxMessageLength) }
    const key = JSON.stringify(found)
    if (!this.#seen.has(key)) {
      this.#seen.add(key)
      this.#bytes += encoder.encode(key).length
      if (this.list.length < maxListLength && this.#bytes <= maxBytes) this.list.push(found)
      else this.#close()
    }
    if (++this.#findings === maxFindings && !this.isFull) this.#close()
  }

  addAll(violations: Iterable<Violation>): void {
    for (const { path, message } of violations) {
      if (this.isFull) return
      this.add(path, message)
    }
  }

  #close(): void {
    this.isFull = true
    if (this.list.length === maxListLength) this.list.pop()
    const listed = this.list.length === 1 ? '1 problem' : `${this.list.length} problems`
    const message = `${moreThan}${listed}; the rest are not listed. Fix these first.`
    this.list.push({ path: '', message })
  }
}

/** "3 fields are invalid", or "49 or more fields are invalid". */
export function countInvalid(list: Violation[], noun = 'field'): string {
  const listed = list.filter(({ path, message }) => path !== '' || !message.startsWith(moreThan))
  const count = new Set(listed.map(({ path }) => path)).size
  if (listed.length < list.length) return `${count} or more ${noun}s are invalid`
  return count === 1 ? `1 ${noun} is invalid` : `${count} ${noun}s are invalid`
}

function truncate(text: string, maxLength: number): string {
  return text.length > maxLength ? `${text.slice(0, maxLength)}…` : text
}

/** Keeps both ends of a path, which are the most useful parts. */
function truncateMiddle(text: string, maxLength: number): string {
  if (text.length <= maxLength) return text
  const half = maxLength / 2
  return `${text.slice(0, half)}…${text.slice(-half)}`
}
