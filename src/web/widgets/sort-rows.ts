import { isScalar } from './scalar.tsx'

export type Sorting = { column: string; direction: 'ascending' | 'descending' }

const collator = new Intl.Collator(undefined, { numeric: true })

/** Sorts numbers numerically and all other values as text. Rows without a value come last. */
export function sortRows<Row>(
  rows: Row[],
  sorting: Sorting | undefined,
  valueAt: (row: Row, column: string) => unknown,
): Row[] {
  if (!sorting) return rows
  const sign = sorting.direction === 'ascending' ? 1 : -1
  const keyed = rows.map((row) => ({ row, key: keyOf(valueAt(row, sorting.column)) }))
  keyed.sort(({ key: a }, { key: b }) => {
    if (a === undefined || b === undefined) return Number(a === undefined) - Number(b === undefined)
    if (typeof a === 'number' && typeof b === 'number') return sign * (a - b)
    return sign * collator.compare(String(a), String(b))
  })
  return keyed.map(({ row }) => row)
}

function keyOf(value: unknown): string | number | undefined {
  if (value === undefined || value === null || value === '') return undefined
  if (typeof value === 'number') return value
  // Compare only the start, so that long texts do not slow down the sort.
  return (isScalar(value) ? String(value) : (JSON.stringify(value) ?? '')).slice(0, 200)
}
