import type { Action } from '../../../contract/action.ts'

export type TypedActions = { type: string; actions: Action[] }

/**
 * The actions that all tasks have in common, with the same id, title and form. None if the tasks
 * differ in type.
 */
export function sharedActions(tasks: TypedActions[]): Action[] {
  const [first, ...others] = tasks
  if (!first) return []
  return first.actions.filter((action) =>
    others.every(
      ({ type, actions }) => type === first.type && actions.some((other) => isSameAction(action, other)),
    ),
  )
}

function isSameAction(a: Action, b: Action): boolean {
  return (
    a.id === b.id &&
    a.title === b.title &&
    JSON.stringify([a.schema, a.ui]) === JSON.stringify([b.schema, b.ui])
  )
}
