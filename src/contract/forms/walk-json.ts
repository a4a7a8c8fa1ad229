import { pathTo } from '../violation.ts'
import { isObject, UNSAFE_NAMES } from './json.ts'

type Visit = { path: string; value: unknown }

/**
 * Looks at every value of a tree before anything recursive does. False when it is nested too deep to go on; names
 * that would reach a prototype and the values themselves are handed to the caller.
 */
export function walkJson(
  root: Visit,
  maxDepth: number,
  on: { unsafeName(path: string): void; value?(visit: Visit): void },
): boolean {
  let level: Visit[] = [root]
  for (let depth = 0; level.length > 0; depth++) {
    const next: Visit[] = []
    for (const visit of level) {
      on.value?.(visit)
      const { path, value } = visit
      if (Array.isArray(value)) {
        if (depth === maxDepth) return false
        for (let index = 0; index < value.length; index++) {
          next.push({ path: pathTo(path, index), value: value[index] })
        }
      } else if (isObject(value)) {
        if (depth === maxDepth) return false
        for (const name of Object.keys(value)) {
          const at = pathTo(path, name)
          if (UNSAFE_NAMES.has(name)) on.unsafeName(at)
          next.push({ path: at, value: value[name] })
        }
      }
    }
    level = next
  }
  return true
}
