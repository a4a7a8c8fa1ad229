import { pathTo } from '../violation.ts'
import { isObject, UNSAFE_NAMES } from './json.ts'

/** A value on its way to the root. Paths are put together only for what is reported. */
type Visit = { value: unknown; parent: Visit | undefined; step: string | number }

type Report = { unsafeName(path: string): void; list?(list: readonly unknown[], path: () => string): void }

/**
 * Looks at every value of a tree before anything recursive does: reports lists, and names that would reach a
 * prototype. False when the tree is nested too deep to go on.
 */
export function walkJson(root: unknown, rootPath: string, maxDepth: number, report: Report): boolean {
  const pathOf = (visit: Visit): string =>
    visit.parent ? pathTo(pathOf(visit.parent), visit.step) : rootPath
  let level: Visit[] = [{ value: root, parent: undefined, step: '' }]
  for (let depth = 0; level.length > 0; depth++) {
    const next: Visit[] = []
    for (const visit of level) {
      const { value } = visit
      if (typeof value !== 'object' || value === null) continue
      if (depth === maxDepth) return false
      if (Array.isArray(value)) {
        report.list?.(value, () => pathOf(visit))
        for (let index = 0; index < value.length; index++) {
          next.push({ value: value[index], parent: visit, step: index })
        }
      } else if (isObject(value)) {
        for (const name of Object.keys(value)) {
          const inner = { value: value[name], parent: visit, step: name }
          if (UNSAFE_NAMES.has(name)) report.unsafeName(pathOf(inner))
          next.push(inner)
        }
      }
    }
    level = next
  }
  return true
}
