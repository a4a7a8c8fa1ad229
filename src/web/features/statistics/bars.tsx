import { Link } from '@tanstack/react-router'
import { type KeyboardEvent, type ReactNode, useState } from 'react'
import { Bar, BarChart, CartesianGrid, ResponsiveContainer, XAxis, YAxis } from 'recharts'
import { formatCount } from '../../lib/count.ts'
import { formatShortCount } from '../../lib/numbers.ts'
import { useWorkspace } from '../../lib/workspace.ts'
import type { HandledFilters } from '../../parts/task-list/handled-filters.ts'
import { axisTicks } from './axis-ticks.ts'
import styles from './bars.module.css'
import { type Fill, paintOf, Swatch } from './fills.tsx'

export type Series = { name: ReactNode; fill: Fill }
export type BarColumn = {
  label: string
  /** Short label for the axis. */
  tick?: string
  /** The numbers of the bar as text, for screen readers. */
  description: string
  /** One value per series. */
  values: number[]
  /** Filters with which the Handled page lists the tasks of the bar. */
  taskFilters?: HandledFilters | undefined
}

type Props = {
  name: string
  series: Series[]
  columns: BarColumn[]
  /** Vertical lines at the start of a column. `isLeft`: the label is to the left of its line. */
  marks?: { column: number; label?: ReactNode; isLeft?: boolean }[]
  /** Labels for the edges between bars instead of for the bars. */
  edges?: string[]
}

// In px. Must match the style sheet, which positions the hit areas inside the axes.
const height = 256
const axisWidth = 36
const axisHeight = 24
const topMargin = 8
// The size of --text-axis in px: Recharts measures labels with it.
const tickStyle = { fill: 'var(--ink-3)', fontSize: 11 }
const maxEdgeLabels = 8

/**
 * Stacked bars drawn by Recharts. On top of each bar is a hit area, which reacts to the pointer and
 * to arrow keys. If the bar has `taskFilters`, the hit area is a link to its tasks.
 */
export function Bars({ name, series, columns, marks = [], edges }: Props) {
  const [active, setActive] = useState<number>()
  const [focused, setFocused] = useState(0)
  const current = Math.min(focused, columns.length - 1)
  const points = columns.map(({ label, tick = label, values }) => ({ tick, values }))
  const ticks = axisTicks(Math.max(...columns.map(({ values }) => sum(values))))

  function moveFocus(event: KeyboardEvent<HTMLElement>) {
    const to = { ArrowRight: current + 1, ArrowLeft: current - 1, Home: 0, End: columns.length - 1 }[
      event.key
    ]
    if (to === undefined || to < 0 || to >= columns.length) return
    event.preventDefault()
    ;(event.currentTarget.children[to] as HTMLElement).focus()
  }

  const hitArea = (column: number) => ({
    className: styles.hitArea ?? '',
    'aria-label': columns[column]!.description,
    tabIndex: column === current ? 0 : -1,
    onFocus: () => {
      setFocused(column)
      setActive(column)
    },
    onBlur: () => setActive(undefined),
    onPointerEnter: () => setActive(column),
    onPointerLeave: () => setActive(undefined),
  })

  return (
    <div className={styles.plot}>
      <div className={styles.drawing} aria-hidden="true">
        <ResponsiveContainer width="100%" height={height} minWidth={0}>
          <BarChart
            data={points}
            margin={{ top: topMargin, right: 0, bottom: 0, left: 0 }}
            barCategoryGap={1}
            accessibilityLayer={false}
          >
            <CartesianGrid vertical={false} stroke="var(--line)" />
            <XAxis
              dataKey="tick"
              height={axisHeight}
              tickLine={false}
              axisLine={{ stroke: 'var(--line-control)' }}
              tick={edges ? false : tickStyle}
              interval="equidistantPreserveStart"
              minTickGap={36}
            />
            <YAxis
              width={axisWidth}
              domain={[0, ticks.at(-1)!]}
              ticks={ticks}
              tickLine={false}
              axisLine={false}
              tick={tickStyle}
              tickFormatter={formatShortCount}
              tickMargin={6}
            />
            {series.map(({ fill }, n) => (
              <Bar
                key={fill.id}
                dataKey={({ values }: (typeof points)[number]) => values[n] ?? 0}
                stackId="all"
                fill={paintOf(fill)}
                // One pixel of separation between the parts.
                stroke="var(--surface)"
                strokeWidth={1}
                isAnimationActive={false}
              />
            ))}
          </BarChart>
        </ResponsiveContainer>
      </div>
      {/* biome-ignore lint/a11y/useSemanticElements: screen readers announce a list item by item, here up to 366 */}
      <div className={styles.hitAreas} role="group" aria-label={`${name}, bar by bar`} onKeyDown={moveFocus}>
        {columns.map((column, n) =>
          column.taskFilters ? (
            <TasksHitArea key={column.label} taskFilters={column.taskFilters} {...hitArea(n)} />
          ) : (
            <span key={column.label} role="img" {...hitArea(n)} />
          ),
        )}
      </div>
      {marks.map(({ column, label, isLeft }, n) => (
        <div className={styles.overlay} key={n}>
          <div
            className={isLeft ? `${styles.markLine} ${styles.left}` : styles.markLine}
            style={{ left: `${(column / columns.length) * 100}%` }}
          >
            {label && <span className="mono">{label}</span>}
          </div>
        </div>
      ))}
      {edges && (
        <div className={styles.edges} aria-hidden="true">
          {edges.map((edge, n) => (
            <span key={edge}>{n % Math.ceil(edges.length / maxEdgeLabels) === 0 && edge}</span>
          ))}
        </div>
      )}
      {active !== undefined && columns[active] && (
        <Readout series={series} column={columns[active]} position={(active + 0.5) / columns.length} />
      )}
    </div>
  )
}

function TasksHitArea({ taskFilters, ...rest }: { taskFilters: HandledFilters; className: string }) {
  const { workspaceId } = useWorkspace()
  return <Link to="/w/$workspaceId/handled" params={{ workspaceId }} search={taskFilters} {...rest} />
}

/** `position`: the middle of the bar, from 0 at the left edge of the chart to 1 at the right. */
type ReadoutProps = { series: Series[]; column: BarColumn; position: number }

/**
 * The numbers of one bar. Hidden from screen readers: the label of the hit area has the same
 * numbers.
 */
function Readout({ series, column, position }: ReadoutProps) {
  return (
    <div className={styles.overlay} aria-hidden="true">
      <div
        className={position > 0.5 ? `${styles.readout} ${styles.left}` : styles.readout}
        style={{ left: `${position * 100}%` }}
      >
        <p>
          {column.label} <b>{formatCount(sum(column.values))}</b>
        </p>
        {series.length > 1 && (
          <ul>
            {series.map(
              ({ name, fill }, n) =>
                column.values[n] !== 0 && (
                  <li key={fill.id}>
                    <Swatch fill={fill} /> {name} <b>{formatCount(column.values[n] ?? 0)}</b>
                  </li>
                ),
            )}
          </ul>
        )}
      </div>
    </div>
  )
}

function sum(values: number[]): number {
  return values.reduce((total, value) => total + value, 0)
}
