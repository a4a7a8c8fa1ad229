import type { PartChange, ValueChange } from './revision-changes.ts'

/** By field of the context. Fields that are new, or whose values are hidden, have nothing to compare. */
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
