import type { ErrorSchema } from '@rjsf/utils'
import type { Violation } from '../../../contract/violation.ts'

/** `items[2]["odd name"]` gives items, 2, odd name. */
export function stepsOf(path: string): string[] {
  const steps: string[] = []
  for (const [, index, quoted, name] of path.matchAll(/\[(\d+)\]|\[("(?:[^"\\]|\\.)*")\]|([^.[\]]+)/g)) {
    steps.push(index ?? name ?? (JSON.parse(quoted ?? '""') as string))
  }
  return steps
}

/** Converts errors to the form library's format: a tree with a list at each field. */
export function errorTree(errors: Violation[]): ErrorSchema {
  // Without a prototype, because a field may have a name such as "valueOf".
  const tree: Record<string, unknown> = Object.create(null)
  for (const { path, message } of errors) {
    let node = tree
    for (const step of stepsOf(path)) {
      node[step] ??= Object.create(null)
      node = node[step] as Record<string, unknown>
    }
    node.__errors = [...((node.__errors as string[]) ?? []), message]
  }
  return tree as ErrorSchema
}
