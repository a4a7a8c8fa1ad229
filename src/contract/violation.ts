import { truncate } from './truncate.ts'

/** One problem with a request: the path of the field, what is wrong and what to do. */
export type Violation = { path: string; message: string }

// Long enough to find the field; a name of 1 MiB must not be repeated fifty times in a response.
const maxValueLength = 80
const maxPathLength = 400
const maxMessageLength = 600
export const maxListLength = 50
// Size of the list as JSON. A tool result contains it twice, once as escaped JSON, and stays below
// 64 KiB.
const maxBytes = 20 * 1024
// Includes duplicates: they are not listed, but finding them costs as much.
const maxFindings = 100

const moreThan = 'There are more than '
const maybeMore = 'There may be more problems. Fix these first.'

const encoder = new TextEncoder()

/** The steps `items`, 2, `odd name` give `items[2]["odd name"]`. The root is the empty path. */
export function pathTo(parent: string, step: string | number): string {
  if (typeof step === 'number') return `${parent}[${step}]`
  const name = truncate(step, maxValueLength)
  if (!/^[\p{ID_Start}$_][\p{ID_Continue}$-]*$/u.test(name)) return `${parent}[${JSON.stringify(name)}]`
  return parent === '' ? name : `${parent}.${name}`
}

/** Puts `parent` before a path that starts there: `data` and `["odd name"][2]` give `data["odd name"][2]`. */
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
 * Collects violations without duplicates, at most 50 and as many as fit into a response. If there
 * are or may be more, the last one says so and `isFull` is set: callers should stop checking.
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
      else this.#close(true)
    }
    if (++this.#findings === maxFindings && !this.isFull) this.#close(this.list.length === maxListLength)
  }

  addAll(violations: Iterable<Violation>): void {
    for (const { path, message } of violations) {
      if (this.isFull) return
      this.add(path, message)
    }
  }

  /** `hasMore`: whether a problem was found that is not listed. */
  #close(hasMore: boolean): void {
    this.isFull = true
    if (this.list.length === maxListLength) this.list.pop()
    const more = `${moreThan}${this.list.length} problems; the rest are not listed. Fix these first.`
    this.list.push({ path: '', message: hasMore ? more : maybeMore })
  }
}

/** Whether this is the last violation of a list, which says that there are or may be more. */
export function saysThereAreMore({ path, message }: Violation): boolean {
  return path === '' && (message.startsWith(moreThan) || message === maybeMore)
}

/** "3 fields are invalid", or "49 or more fields are invalid". */
export function countInvalid(list: Violation[], noun = 'field'): string {
  const listed = list.filter((violation) => !saysThereAreMore(violation))
  const count = new Set(listed.map(({ path }) => path)).size
  if (listed.length < list.length) return `${count} or more ${noun}s are invalid`
  return count === 1 ? `1 ${noun} is invalid` : `${count} ${noun}s are invalid`
}

/** Keeps both ends of a path, which are the most useful parts. */
function truncateMiddle(text: string, maxLength: number): string {
  if (text.length <= maxLength) return text
  const half = maxLength / 2
  return truncate(text, half) + text.slice(-half).replace(/^[\udc00-\udfff]/, '')
}
