import type { Priority } from '../../contract/task-fields.ts'

export const priorityLabels: Record<Priority, string> = {
  urgent: 'Urgent',
  high: 'High',
  normal: 'Normal',
  low: 'Low',
}

const filledBars: Record<Exclude<Priority, 'urgent'>, number> = { low: 1, normal: 2, high: 3 }
const bars = ['M2 10h3.5v4H2z', 'M6.2 6h3.5v8H6.2z', 'M10.5 2H14v12h-3.5z']

/** One to three bars, or a stop sign for urgent. Without `hasLabel` it is hidden from screen readers. */
export function PriorityMark({ priority, hasLabel = false }: { priority: Priority; hasLabel?: boolean }) {
  const label = hasLabel
    ? ({ role: 'img', 'aria-label': priorityLabels[priority] } as const)
    : { 'aria-hidden': true }
  return (
    // biome-ignore lint/a11y/noSvgWithoutTitle: it is either labelled or hidden
    <svg className={`pri ${priority}`} viewBox="0 0 16 16" {...label}>
      {priority === 'urgent' ? (
        <>
          <path d="M5.2 1.5h5.6l3.7 3.7v5.6l-3.7 3.7H5.2l-3.7-3.7V5.2z" />
          <path className="cut" d="M7.1 4h1.8v5H7.1zM7.1 10.3h1.8V12H7.1z" />
        </>
      ) : (
        bars.map((bar, n) => (
          <path key={bar} d={bar} className={n < filledBars[priority] ? undefined : 'off'} />
        ))
      )}
    </svg>
  )
}
