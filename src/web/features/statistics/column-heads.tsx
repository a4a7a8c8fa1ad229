import styles from './charts.module.css'

/** Classes of the style sheet: right-aligned, wide, and two kinds that narrow screens leave out. */
type ColumnClass = 'r' | 'wide' | 'spare' | 'lesser'
type ColumnHead = readonly [title: string, ...classes: ColumnClass[]]

/** The head of a table of figures. */
export function ColumnHeads({ columns }: { columns: readonly ColumnHead[] }) {
  return (
    <thead>
      <tr>
        {columns.map(([title, ...classes]) => (
          <th key={title} scope="col" className={classes.map((name) => styles[name]).join(' ')}>
            {title}
          </th>
        ))}
      </tr>
    </thead>
  )
}
