import type { Action } from '../../../contract/action.ts'

export type TypedActions = { type: string; actions: Action[] }

/** The actions that all of these tasks have: same type, same id and title, and the same form or none. */
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
