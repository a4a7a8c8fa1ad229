import type { PartChange, ValueChange } from './revision-changes.ts'

/**
 * The changes to show inside the context, by field. Leaves out fields in which the change cannot be
 * shown: those that are new, removed or hidden, and those whose whole value was replaced, if the old
 * or the new value is null, an object or a list.
 */
export function changesInContext(changes: PartChange[] = []): Map<string, PartChange> {
  return new Map(
    changes.flatMap((change) => {
      const { field, values } = change
      const isReplaced = values.some(isWholeValue)
      const isShown = isReplaced ? values.every(isScalarChange) : values.length > 0
      return field !== undefined && isShown ? [[field, change] as const] : []
    }),
  )
}

const isWholeValue = ({ path }: ValueChange) => path.length === 0
const isScalarChange = ({ before, after }: ValueChange) =>
  [before, after].every((value) => value !== undefined && typeof value !== 'object')
