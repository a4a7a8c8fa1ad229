import type { ReactNode } from 'react'
import { classes } from '../../lib/classes.ts'
import { ScrollBox } from './chart-table.tsx'
import styles from './charts.module.css'

/**
 * Classes of charts.module.css. r: right-aligned. lesser: hidden in narrow charts. spare: hidden
 * only in the narrowest charts.
 */
type ColumnClass = 'r' | 'spare' | 'lesser'
type ColumnHead = readonly [title: string, ...classes: ColumnClass[]]

type Props = {
  label: string
  columns: readonly ColumnHead[]
  /** The last column is a verdict, which stays visible in narrow charts. */
  hasVerdict?: boolean
  /** For a table with several sections. */
  isTall?: boolean
  children: ReactNode
}

/** A table of figures in a box that scrolls. The children are its rows. */
export function FiguresTable({ label, columns, hasVerdict = false, isTall = false, children }: Props) {
  return (
    <ScrollBox label={label} isTall={isTall}>
      <table className={classes(styles.figuresTable, hasVerdict && styles.withVerdict)}>
        <thead>
          <tr>
            {columns.map(([title, ...names]) => (
              <th key={title} scope="col" className={names.map((name) => styles[name]).join(' ')}>
                {title}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>{children}</tbody>
      </table>
    </ScrollBox>
  )
}
