import { pathTo } from '../violation.ts'
import type { Budget } from './budget.ts'
import { isObject, unsafeNames } from './json.ts'

type Visitor = { unsafeName(path: string): void; list?(list: readonly unknown[], path: () => string): void }

/**
 * Visits every value of a JSON tree, reports lists and unsafe names, and spends one unit per 16
 * values. Returns false and stops if the tree is nested too deeply.
 */
export function walkJson(
  root: unknown,
  rootPath: string,
  maxDepth: number,
  budget: Budget,
  visitor: Visitor,
): boolean {
  const steps: (string | number)[] = []
  const path = () => steps.reduce(pathTo, rootPath)
  const visit = (value: unknown): boolean => {
    if (typeof value !== 'object' || value === null) return true
    if (steps.length === maxDepth) return false
    if (Array.isArray(value)) {
      budget.spend(value.length / 16)
      visitor.list?.(value, path)
      for (let index = 0; index < value.length; index++) {
        if (typeof value[index] !== 'object') continue
        steps.push(index)
        if (!visit(value[index])) return false
        steps.pop()
      }
    } else if (isObject(value)) {
      const names = Object.keys(value)
      budget.spend(names.length / 16)
      for (const name of names) {
        steps.push(name)
        if (unsafeNames.has(name)) visitor.unsafeName(path())
        if (!visit(value[name])) return false
        steps.pop()
      }
    }
    return true
  }
  return visit(root)
}
