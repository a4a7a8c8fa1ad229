import { useEffect, useMemo, useRef } from 'react'
import { formatDayLabel } from '../../lib/dates.ts'
import { displayName } from '../../lib/display-name.ts'
import { useNameOf } from '../../lib/use-members.ts'
import { useNow } from '../../lib/use-now.ts'
import { useWorkspace } from '../../lib/workspace.ts'
import { positionRow } from '../../parts/task-list/position-row.ts'
import rowsStyles from '../../parts/task-list/rows.module.css'
import { useRowHeights } from '../../parts/task-list/use-row-heights.ts'
import { rowsToRender, useRowWindow } from '../../parts/task-list/use-row-window.ts'
import { useScrollToDisplayed } from '../../parts/task-list/use-scroll-to-displayed.ts'
import { HandledRow, type ListedTask } from './handled-row.tsx'

/** The next page is loaded when fewer than this many items are left below the last rendered one. */
const itemsAhead = 15

type Item = { kind: 'day'; day: string } | { kind: 'task'; task: ListedTask; index: number }

type Props = {
  tasks: ListedTask[]
  label: string
  /** The timestamp that the list is sorted and grouped by. */
  timestampOf: (task: ListedTask) => string
  displayedId: string | undefined
  hasMore: boolean
  onOpen: (taskId: string) => void
  onMore: () => void
}

export function HandledList({ tasks, label, timestampOf, displayedId, hasMore, onOpen, onMore }: Props) {
  const { me } = useWorkspace()
  const now = useNow()
  const nameOf = useNameOf()
  const { isCompact, rowHeight, headerHeight } = useRowHeights()
  const scroller = useRef<HTMLDivElement>(null)
  const today = new Date(now).toDateString()
  // `today` is a dependency because the labels of the days, such as “Today”, change at midnight.
  const items = useMemo(() => withDays(tasks, timestampOf), [tasks, timestampOf, today])
  const displayedIndex = items.findIndex((item) => item.kind === 'task' && item.task.taskId === displayedId)

  const heights = useMemo(
    () => items.map(({ kind }) => (kind === 'day' ? headerHeight : rowHeight)),
    [items, headerHeight, rowHeight],
  )
  const rowWindow = useRowWindow(scroller, heights)
  const rendered = rowsToRender(rowWindow)
  const lastRendered = rendered.at(-1) ?? 0

  const openClicked = useScrollToDisplayed({ rowWindow, displayedId, displayedIndex, headerHeight, onOpen })
  useEffect(() => {
    if (hasMore && lastRendered >= items.length - itemsAhead) onMore()
  }, [hasMore, items, lastRendered, onMore])

  return (
    <div className={rowsStyles.rowsBox}>
      <div
        ref={scroller}
        className={isCompact ? `${rowsStyles.rows} ${rowsStyles.compact}` : rowsStyles.rows}
        id="handled-tasks"
        role="listbox"
        tabIndex={0}
        aria-label={label}
        aria-activedescendant={rendered.includes(displayedIndex) ? `row-${displayedId}` : undefined}
      >
        <div className={rowsStyles.run} role="presentation" style={{ height: rowWindow.offsets.at(-1) }}>
          {rendered.map((index) => {
            const item = items[index]
            if (!item) return null
            const key = item.kind === 'task' ? item.task.taskId : item.day
            return (
              <div key={key} role="presentation" style={positionRow(rowWindow.offsets[index] ?? 0)}>
                {item.kind === 'day' ? (
                  <div className={rowsStyles.group} role="presentation">
                    {item.day}
                  </div>
                ) : (
                  <HandledRow
                    task={item.task}
                    isDisplayed={item.task.taskId === displayedId}
                    by={
                      item.task.handled && displayName(item.task.handled.handledBy, nameOf, me.person.email)
                    }
                    dayTimestamp={Date.parse(timestampOf(item.task))}
                    position={item.index + 1}
                    setSize={hasMore ? -1 : tasks.length}
                    onOpen={openClicked}
                  />
                )}
              </div>
            )
          })}
        </div>
      </div>
    </div>
  )
}

function withDays(tasks: ListedTask[], timestampOf: (task: ListedTask) => string): Item[] {
  const items: Item[] = []
  let day: string | undefined
  for (const [index, task] of tasks.entries()) {
    const next = formatDayLabel(timestampOf(task))
    if (next !== day) items.push({ kind: 'day', day: next })
    day = next
    items.push({ kind: 'task', task, index })
  }
  return items
}
