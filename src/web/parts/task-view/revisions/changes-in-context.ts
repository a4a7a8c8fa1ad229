import type { PartChange, ValueChange } from './revision-changes.ts'

/**
 * The changes to show inside the context, by field. There is nothing to compare in a field that is
 * new, removed or hidden, or was replaced as a whole and is or was null, an object or a list.
 */
export function changesInContext(changes: PartChange[] = []): Map<string, PartChange> {
  return new Map(
    changes.flatMap((change) => {
      const { field, values } = change
      const isReplaced = values.some(isWhole)
      const isShown = isReplaced ? values.every(isScalarChange) : values.length > 0
      return field !== undefined && isShown ? [[field, change] as const] : []
    }),
  )
}

const isWhole = ({ path }: ValueChange) => path.length === 0
const isScalarChange = ({ before, after }: ValueChange) =>
  [before, after].every((value) => value !== undefined && typeof value !== 'object')
