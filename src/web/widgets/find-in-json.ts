import { isScalar } from './scalar.tsx'

export type Found = { path: string; shown: string }

export const mostFound = 100
const longestShown = 200

/** The places whose name or value holds the words, in the order they were sent. Without recursion, whatever the depth. */
export function findInJson(value: unknown, query: string): Found[] {
  const found: Found[] = []
  if (query === '') return found
  const words = query.toLowerCase()
  const open: { path: string; name: string; value: unknown }[] = [{ path: '', name: '', value }]
  for (let next = open.pop(); next && found.length < mostFound; next = open.pop()) {
    const { path, name, value: here } = next
    const isLeaf = isScalar(here)
    const text = isLeaf ? (JSON.stringify(here) ?? '') : ''
    if (path !== '' && (name.toLowerCase().includes(words) || text.toLowerCase().includes(words)))
      found.push({ path, shown: isLeaf ? around(text, words) : Array.isArray(here) ? '[…]' : '{…}' })
    if (isLeaf) continue
    const children = Object.entries(here as object)
    for (let n = children.length - 1; n >= 0; n--) {
      const [key, child] = children[n]!
      open.push({
        path: pathTo(path, key, Array.isArray(here)),
        name: Array.isArray(here) ? '' : key,
        value: child,
      })
    }
  }
  return found
}

/** `orders[3]["due date"]`, as JavaScript would write it. */
export function pathTo(path: string, key: string, isIndex: boolean): string {
  if (isIndex) return `${path}[${key}]`
  if (!/^[A-Za-z_$][\w$]*$/.test(key)) return `${path}[${JSON.stringify(key)}]`
  return path === '' ? key : `${path}.${key}`
}

/** A long value from a little before the words on. */
function around(text: string, words: string): string {
  if (text.length <= longestShown) return text
  const from = Math.max(0, text.toLowerCase().indexOf(words) - 40)
  const to = from + longestShown
  return `${from > 0 ? '…' : ''}${text.slice(from, to)}${to < text.length ? '…' : ''}`
}
