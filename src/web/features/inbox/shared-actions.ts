import type { Action } from '../../../contract/action.ts'

export type TypedActions = { type: string; actions: Action[] }

/** The actions that all tasks have in common: same task type, id, title and form. */
export function sharedActions(tasks: TypedActions[]): Action[] {
  const [first, ...others] = tasks
  if (!first) return []
  return first.actions.filter((action) =>
    others.every(
      ({ type, actions }) => type === first.type && actions.some((other) => isSame(action, other)),
    ),
  )
}

function isSame(one: Action, other: Action): boolean {
  return (
    one.id === other.id &&
    one.title === other.title &&
    JSON.stringify([one.schema, one.ui]) === JSON.stringify([other.schema, other.ui])
  )
}
