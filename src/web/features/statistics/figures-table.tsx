import type { ReactNode } from 'react'
import { classes } from '../../lib/classes.ts'
import { ScrollBox } from './chart-table.tsx'
import styles from './charts.module.css'

/** Classes of the style sheet: right-aligned, wide, and two kinds that narrow screens leave out. */
type ColumnClass = 'r' | 'wide' | 'spare' | 'lesser'
type ColumnHead = readonly [title: string, ...classes: ColumnClass[]]

type Props = {
  label: string
  columns: readonly ColumnHead[]
  /** With a verdict per row. */
  isJudged?: boolean
  /** With several sections. */
  isTall?: boolean
  /** The rows. */
  children: ReactNode
}

/** A table of figures with its head, in a box that scrolls. */
export function FiguresTable({ label, columns, isJudged = false, isTall = false, children }: Props) {
  return (
    <ScrollBox label={label} isTall={isTall}>
      <table className={classes(styles.figuresTable, isJudged && styles.judged)}>
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
