const widths = [
  ['62%', '84%'],
  ['48%', '71%'],
  ['56%', '90%'],
  ['66%', '78%'],
  ['44%', '82%'],
]

/** Shaped like rows; the style sheet shows it only after 150 ms. */
export function RowSkeletons() {
  return (
    <div role="status" aria-label="Loading open tasks">
      {widths.map(([name, line]) => (
        <div className="row-skeleton" key={name}>
          <i className="skeleton" />
          <i className="skeleton" style={{ width: name }} />
          <i className="skeleton" style={{ width: line }} />
        </div>
      ))}
    </div>
  )
}
