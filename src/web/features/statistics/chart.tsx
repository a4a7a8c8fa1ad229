import { Link } from '@tanstack/react-router'
import { Download, Table2 } from 'lucide-react'
import { type ReactNode, useId, useState } from 'react'
import { saveFile } from '../../lib/save-file.ts'
import { useWorkspace } from '../../lib/workspace.ts'
import type { HandledFilters } from '../../parts/task-list/handled-filters.ts'
import { Icon } from '../../ui/icon.tsx'
import { toCsv } from '../../widgets/csv.ts'
import styles from './chart.module.css'
import { type ChartData, ChartTable } from './chart-table.tsx'
import { type Fill, Swatch } from './fills.tsx'

export type LegendEntry = {
  fill: Fill
  label: ReactNode
  total: string
  taskFilters?: HandledFilters | undefined
}

type Props = {
  title: ReactNode
  /** Used for the file name and for screen readers. */
  name: string
  /** A few sentences that summarize the chart. */
  summary: ReactNode
  /** The numbers for the table view and the CSV file. */
  data: ChartData
  legend?: LegendEntry[]
  /** Filters with which the Handled page lists the tasks counted in the chart. */
  taskFilters?: HandledFilters | undefined
  /** The chart is already a table, so it has no table view. */
  isTable?: boolean
  children: ReactNode
}

/** The frame of a chart: title, summary, legend, table view, CSV file and a link to the tasks. */
export function Chart({ title, name, summary, data, legend, taskFilters, isTable = false, children }: Props) {
  const { workspaceId } = useWorkspace()
  const [isTableView, setTableView] = useState(false)
  const id = useId()
  const params = { workspaceId }
  return (
    <section className={styles.frame} aria-labelledby={id}>
      <header>
        <h2 id={id}>{title}</h2>
        <div className={styles.frameTools}>
          {taskFilters && (
            <Link
              className="btn small quiet"
              to="/w/$workspaceId/handled"
              params={params}
              search={taskFilters}
            >
              Tasks<span className="sr-only"> of {name}</span>
            </Link>
          )}
          {!isTable && (
            <button
              type="button"
              className={isTableView ? 'btn small quiet set' : 'btn small quiet'}
              aria-pressed={isTableView}
              onClick={() => setTableView(!isTableView)}
            >
              <Icon of={Table2} />
              View as table<span className="sr-only">: {name}</span>
            </button>
          )}
          <button
            type="button"
            className="btn small quiet"
            onClick={() =>
              saveFile(
                `${fileName(name)}.csv`,
                'text/csv;charset=utf-8',
                toCsv([data.columns.map((column) => column.name), ...data.rows]),
              )
            }
          >
            <Icon of={Download} />
            CSV<span className="sr-only">: {name}</span>
          </button>
        </div>
      </header>
      <p className={styles.sum}>{summary}</p>
      {legend && (
        <ul className={styles.legend}>
          {legend.map((entry) => (
            <li key={entry.fill.id}>
              <Swatch fill={entry.fill} />
              {entry.taskFilters ? (
                <Link to="/w/$workspaceId/handled" params={params} search={entry.taskFilters}>
                  {entry.label} <b>{entry.total}</b>
                </Link>
              ) : (
                <>
                  {entry.label} <b>{entry.total}</b>
                </>
              )}
            </li>
          ))}
        </ul>
      )}
      {isTableView ? <ChartTable name={name} data={data} /> : children}
    </section>
  )
}

function fileName(name: string): string {
  return (
    name
      .toLowerCase()
      .replace(/[^\p{L}\p{N}]+/gu, '-')
      .slice(0, 60)
      .replace(/^-|-$/g, '') || 'chart'
  )
}
