import { isScalar } from './scalar.tsx'

export type Match = { path: string; shown: string }

export const maxMatches = 100
const maxExcerptLength = 200

/**
 * The first paths whose name or value contains the query, at most `maxMatches`, in document order.
 * Iterative, so that deep nesting does not overflow the stack.
 */
export function findInJson(value: unknown, query: string): Match[] {
  const found: Match[] = []
  if (query === '') return found
  const needle = query.toLowerCase()
  const stack: { path: string; name: string; value: unknown }[] = [{ path: '', name: '', value }]
  for (let next = stack.pop(); next && found.length < maxMatches; next = stack.pop()) {
    const { path, name, value: current } = next
    const isLeaf = isScalar(current)
    const text = isLeaf ? (JSON.stringify(current) ?? '') : ''
    if (path !== '' && (name.toLowerCase().includes(needle) || text.toLowerCase().includes(needle)))
      found.push({ path, shown: isLeaf ? excerpt(text, needle) : Array.isArray(current) ? '[…]' : '{…}' })
    if (isLeaf) continue
    const children = Object.entries(current as object)
    for (let n = children.length - 1; n >= 0; n--) {
      const [key, child] = children[n]!
      stack.push({
        path: pathTo(path, key, Array.isArray(current)),
        name: Array.isArray(current) ? '' : key,
        value: child,
      })
    }
  }
  return found
}

/** A path in JavaScript notation: `orders[3]["due date"]`. */
export function pathTo(path: string, key: string, isIndex: boolean): string {
  if (isIndex) return `${path}[${key}]`
  if (!/^[A-Za-z_$][\w$]*$/.test(key)) return `${path}[${JSON.stringify(key)}]`
  return path === '' ? key : `${path}.${key}`
}

/** The part of a long value around the match. */
function excerpt(text: string, needle: string): string {
  if (text.length <= maxExcerptLength) return text
  const from = Math.max(0, text.toLowerCase().indexOf(needle) - 40)
  const to = from + maxExcerptLength
  return `${from > 0 ? '…' : ''}${text.slice(from, to)}${to < text.length ? '…' : ''}`
}
