import { ArrowDown, ArrowUp } from 'lucide-react'
import { useMemo, useState } from 'react'
import { isObject, own } from '../../contract/forms/json.ts'
import { bidiSafe } from '../ui/bidi-safe.tsx'
import { CopyButton } from '../ui/copy-button.tsx'
import { Icon } from '../ui/icon.tsx'
import { toCsv } from './csv.ts'
import { type Hints, hintsOf, titleOf } from './hints.ts'
import type { WidgetProps } from './registry.ts'
import { isScalar, isShort, Scalar } from './scalar.tsx'
import { type Sorting, sortRows } from './sort-rows.ts'
import styles from './table.module.css'
import { TablePages } from './table-pages.tsx'
import { Value } from './value.tsx'
import widgetsStyles from './widgets.module.css'

// More rows would block the page; more columns are unreadable.
const rowsPerPage = 50
const maxColumns = 60
// Smaller tables have no copy button unless the sender chose this widget.
const minRowsToCopy = 10

export function TableWidget({ value, hints }: WidgetProps) {
  // Lists become objects with the column numbers as keys.
  const rows = Array.isArray(value) && value.every(Array.isArray) ? value.map((row) => ({ ...row })) : value
  if (!Array.isArray(rows) || rows.length === 0 || !rows.every(isObject))
    throw new TypeError('table needs a list of one or more objects or lists.')
  const columns = columnsOf(rows, maxColumns + 1)
  if (columns.length === 0 || columns.length > maxColumns)
    throw new TypeError(`table needs 1 to ${maxColumns} columns.`)
  return <ValueTable rows={rows} columns={columns} hints={hints} />
}

/** One row per object: sortable and paged. */
export function ValueTable({
  rows,
  columns,
  hints = {},
}: {
  rows: object[]
  columns: string[]
  hints?: Hints
}) {
  const [sorting, setSorting] = useState<Sorting>()
  const [chosenPage, setPage] = useState(0)
  // A revision may have removed rows.
  const page = Math.min(chosenPage, Math.ceil(rows.length / rowsPerPage) - 1)
  const sorted = useMemo(() => sortRows(rows, sorting, valueAt), [rows, sorting])
  const numeric = useMemo(
    () => new Set(columns.filter((name) => rows.every((row) => typeof valueAt(row, name) === 'number'))),
    [rows, columns],
  )
  const shown = sorted.slice(page * rowsPerPage, (page + 1) * rowsPerPage)
  const title = (name: string) => titleOf(name, hintsOf(hints.items, name))
  const csv = () =>
    toCsv([columns.map(title), ...sorted.map((row) => columns.map((name) => valueAt(row, name)))])
  return (
    <>
      {/* biome-ignore lint/a11y: a scrollable box must be focusable, and then it needs a role and a name */}
      <div className={widgetsStyles.tableScroll} role="group" tabIndex={0} aria-label="Table">
        <table>
          <thead>
            <tr>
              {columns.map((name) => (
                <SortableHead
                  key={name}
                  title={title(name)}
                  isNumeric={numeric.has(name)}
                  direction={sorting?.column === name ? sorting.direction : undefined}
                  onSort={() => {
                    setSorting(nextSorting(sorting, name))
                    setPage(0)
                  }}
                />
              ))}
            </tr>
          </thead>
          <tbody>
            {shown.map((row, n) => (
              <tr key={n}>
                {columns.map((name) => (
                  <td key={name} className={numeric.has(name) ? widgetsStyles.figure : undefined}>
                    <Cell value={valueAt(row, name)} hints={hintsOf(hints.items, name)} />
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      <div className={styles.tableFoot}>
        <TablePages count={rows.length} size={rowsPerPage} page={page} onPage={setPage} />
        {(hints.widget === 'table' || rows.length >= minRowsToCopy) && (
          <CopyButton className="text-button" confirmation="text" text={csv}>
            Copy as CSV
          </CopyButton>
        )}
      </div>
    </>
  )
}

type HeadProps = {
  title: string
  isNumeric: boolean
  direction: Sorting['direction'] | undefined
  onSort: () => void
}

function SortableHead({ title, isNumeric, direction, onSort }: HeadProps) {
  return (
    <th scope="col" className={isNumeric ? widgetsStyles.figure : undefined} aria-sort={direction}>
      <button type="button" onClick={onSort}>
        <bdi>{bidiSafe(title)}</bdi>
        {direction && <Icon of={direction === 'ascending' ? ArrowUp : ArrowDown} />}
      </button>
    </th>
  )
}

function Cell({ value, hints }: { value: unknown; hints: Hints }) {
  if (value === undefined) return null
  if (!hints.widget && isScalar(value) && isShort(value)) return <Scalar value={value} />
  return <Value value={value} hints={hints} />
}

/** Ascending, descending, then the original order. */
function nextSorting(current: Sorting | undefined, column: string): Sorting | undefined {
  if (current?.column !== column) return { column, direction: 'ascending' }
  return current.direction === 'ascending' ? { column, direction: 'descending' } : undefined
}

function valueAt(row: object, name: string): unknown {
  return isObject(row) ? own(row, name) : undefined
}

/** Up to `max` field names, in order of first appearance. */
export function columnsOf(rows: object[], max: number): string[] {
  const columns = new Set<string>()
  for (const row of rows) {
    for (const name of Object.keys(row)) {
      columns.add(name)
      if (columns.size >= max) return [...columns]
    }
  }
  return [...columns]
}
