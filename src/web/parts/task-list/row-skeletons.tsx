import styles from './row-skeletons.module.css'
import rowsStyles from './rows.module.css'

// Widths of the name and of the line below it.
const widths = [
  ['62%', '84%'],
  ['48%', '71%'],
  ['56%', '90%'],
  ['66%', '78%'],
  ['44%', '82%'],
] as const

/** Placeholders in the shape of rows. The global class `skeleton` shows them only after a delay. */
export function RowSkeletons() {
  return (
    <div role="status" aria-label="Loading tasks">
      {widths.map(([name, line]) => (
        <RowSkeleton key={name} name={name} line={line} />
      ))}
    </div>
  )
}

export function RowSkeleton({ name = '56%', line = '78%' }) {
  return (
    <div className={`${styles.rowSkeleton} ${rowsStyles.rowSkeleton}`}>
      <i className="skeleton" />
      <i className="skeleton" style={{ width: name }} />
      <i className="skeleton" style={{ width: line }} />
    </div>
  )
}
