import type { ReactNode } from 'react'
import { classes } from '../../lib/classes.ts'
import { formatCount } from '../../lib/count.ts'
import { bidiSafe } from '../../ui/bidi-safe.tsx'
import styles from './chart-table.module.css'
import chartsStyles from './charts.module.css'

type Cell = string | number | null
export type ChartData = {
  /** `format` is for numbers in the table. Default: formatCount. */
  columns: { name: string; format?: (value: number) => string }[]
  rows: Cell[][]
}

export function ChartTable({ name, data: { columns, rows } }: { name: string; data: ChartData }) {
  return (
    <ScrollBox label={name}>
      <table className={chartsStyles.figuresTable}>
        <thead>
          <tr>
            {columns.map((column, n) => (
              <th key={n} scope="col" className={isNumeric(n) ? chartsStyles.r : undefined}>
                {bidiSafe(column.name)}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row, n) => (
            <tr key={n}>
              {row.map((value, column) => (
                <td key={column} className={isNumeric(column) ? chartsStyles.r : undefined}>
                  {formatCell(value, columns[column]?.format)}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </ScrollBox>
  )

  function isNumeric(column: number): boolean {
    return rows.some((row) => typeof row[column] === 'number')
  }
}

function formatCell(value: Cell, format: (value: number) => string = formatCount) {
  if (value === null) return '–'
  return typeof value === 'number' ? format(value) : <bdi>{bidiSafe(value)}</bdi>
}

type ScrollBoxProps = { label: string; isTall?: boolean; children: ReactNode }

export function ScrollBox({ label, isTall = false, children }: ScrollBoxProps) {
  const className = classes(styles.scrollBox, isTall && styles.tall)
  return (
    // biome-ignore lint/a11y: a scrollable box must be focusable, and then it needs a role and a name
    <div className={className} role="group" tabIndex={0} aria-label={`Table: ${label}`}>
      {children}
    </div>
  )
}
