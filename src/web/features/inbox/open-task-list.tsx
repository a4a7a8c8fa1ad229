import { ArrowUp } from 'lucide-react'
import { useEffect, useMemo, useRef } from 'react'
import type { InboxRow } from '../../../contract/inbox.ts'
import type { Priority } from '../../../contract/task-fields.ts'
import { announce } from '../../lib/announce.ts'
import { classes } from '../../lib/classes.ts'
import { formatSectionCount } from '../../lib/count.ts'
import { isSeen } from '../../lib/seen.ts'
import { useNameOf } from '../../lib/use-members.ts'
import { useNow } from '../../lib/use-now.ts'
import { useWorkspace } from '../../lib/workspace.ts'
import { positionRow } from '../../parts/task-list/position-row.ts'
import { RowSkeleton } from '../../parts/task-list/row-skeletons.tsx'
import rowsStyles from '../../parts/task-list/rows.module.css'
import { useRowHeights } from '../../parts/task-list/use-row-heights.ts'
import { rowsToRender, useRowWindow } from '../../parts/task-list/use-row-window.ts'
import { useScrollToDisplayed } from '../../parts/task-list/use-scroll-to-displayed.ts'
import { Icon } from '../../ui/icon.tsx'
import { PriorityMark, priorityLabels } from '../../ui/priority-mark.tsx'
import { setSizeOf } from './inbox-counts.ts'
import type { InboxState } from './inbox-state.ts'
import { isUnloaded, type ListedRow, type RowSection } from './listed-rows.ts'
import styles from './open-task-list.module.css'
import { type SelectionMode, TaskRow } from './task-row.tsx'
import type { SelectedRevisions } from './use-selection.ts'

type Item = { kind: 'section'; section: RowSection } | { kind: 'row'; row: ListedRow; index: number }

/** The next page is loaded when fewer than this many items are left below the last rendered one. */
const itemsAhead = 30

type Props = {
  state: InboxState
  displayedId: string | undefined
  /** The tasks selected for a bulk answer. */
  selected: SelectedRevisions
  onOpen: (taskId: string) => void
  onSelect: (taskId: string, mode: SelectionMode) => void
  onMore: () => void
  /** An unloaded page scrolled into view. */
  onUnloadedPage: (page: number) => void
  onShowNew: () => void
  /** Called when the rows of ended tasks may be removed, because the pointer is not over the list. */
  onRemoveEnded: () => void
}

const labels = {
  thread: 'Open tasks, by priority, oldest first',
  priority: 'Open tasks, filtered, by priority',
  answerBy: 'Open tasks, filtered, by priority',
  newest: 'Open tasks found, newest first',
}

export function OpenTaskList(props: Props) {
  const { state, displayedId, selected, onOpen, onSelect, onMore, onUnloadedPage, onShowNew, onRemoveEnded } =
    props
  const { me } = useWorkspace()
  const now = useNow()
  const nameOf = useNameOf()
  const { isCompact, rowHeight, headerHeight } = useRowHeights()
  const scroller = useRef<HTMLDivElement>(null)
  const { counts } = state
  const setSize = setSizeOf(counts, state.rows.length)
  const { order } = state.query
  const items = useMemo(() => withSectionHeaders(state.rows, order !== 'newest'), [state.rows, order])
  const displayedIndex = items.findIndex((item) => item.kind === 'row' && item.row.taskId === displayedId)
  const isPointerOver = useRef(false)

  const heights = useMemo(
    () => items.map(({ kind }) => (kind === 'section' ? headerHeight : rowHeight)),
    [items, headerHeight, rowHeight],
  )
  const rowWindow = useRowWindow(scroller, heights)
  const stickyIndex = sectionHeaderAbove(items, rowWindow.first)
  // The displayed row is the active descendant of the list, so it is always rendered.
  const rendered = rowsToRender(rowWindow, [stickyIndex, displayedIndex])
  const lastRendered = rendered.at(-1) ?? 0
  const unloadedPage = firstUnloadedPage(items.slice(rowWindow.first, rowWindow.last + 1))

  // A new query starts at the top.
  useEffect(() => rowWindow.scrollTo(0), [state.query])

  const openClicked = useScrollToDisplayed({ rowWindow, displayedId, displayedIndex, headerHeight, onOpen })

  // One page is loaded at a time, so each change may be the time to load the next one.
  useEffect(() => {
    if (unloadedPage !== undefined) onUnloadedPage(unloadedPage)
    else if (state.nextCursor !== null && lastRendered >= items.length - itemsAhead) onMore()
  }, [unloadedPage, state.nextCursor, items, lastRendered, onUnloadedPage, onMore])

  // Rows of ended tasks are removed at once, unless the pointer is over the list.
  useEffect(() => {
    if (!isPointerOver.current) onRemoveEnded()
  }, [state.endedIds])

  return (
    <div className={rowsStyles.rowsBox}>
      {state.arrived.length > 0 && <NewTasks arrived={state.arrived} onShow={onShowNew} />}
      <div
        ref={scroller}
        className={classes(
          rowsStyles.rows,
          isCompact && rowsStyles.compact,
          selected.size > 0 && rowsStyles.selecting,
        )}
        id="open-tasks"
        role="listbox"
        tabIndex={0}
        aria-label={labels[order]}
        aria-multiselectable="true"
        aria-activedescendant={displayedIndex >= 0 ? `row-${displayedId}` : undefined}
        onPointerEnter={() => {
          isPointerOver.current = true
        }}
        onPointerLeave={() => {
          isPointerOver.current = false
          onRemoveEnded()
        }}
      >
        <div className={rowsStyles.run} role="presentation" style={{ height: rowWindow.offsets.at(-1) }}>
          {rendered.map((index) => {
            const item = items[index]
            if (!item) return null
            const key = keyOf(item)
            const start = rowWindow.offsets[index] ?? 0
            if (item.kind === 'section') {
              return (
                <SectionHeader
                  key={key}
                  section={item.section}
                  count={item.section === 'waiting' ? counts.waiting : (counts.byPriority[item.section] ?? 0)}
                  start={index === stickyIndex ? undefined : start}
                />
              )
            }
            return (
              <div key={key} role="presentation" style={positionRow(start)}>
                {isUnloaded(item.row) ? (
                  <RowSkeleton />
                ) : (
                  <TaskRow
                    row={item.row}
                    isDisplayed={item.row.taskId === displayedId}
                    isSelected={selected.has(item.row.taskId)}
                    isSeen={isSeen(item.row.taskId)}
                    me={me.person}
                    nameOf={nameOf}
                    now={now}
                    position={item.index + 1}
                    setSize={setSize}
                    onOpen={openClicked}
                    onSelect={onSelect}
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

/**
 * "3 new, 1 urgent": how many tasks arrived. If some are urgent, also how many of them; otherwise, if
 * some are of high priority, how many of those.
 */
function NewTasks({ arrived, onShow }: { arrived: InboxRow[]; onShow: () => void }) {
  const countOf = (priority: Priority) => arrived.filter((row) => row.priority === priority).length
  const highest = (['urgent', 'high'] as const).find((priority) => countOf(priority) > 0)
  const label = `${arrived.length} new${highest ? `, ${countOf(highest)} ${priorityLabels[highest].toLowerCase()}` : ''}`
  useEffect(() => announce(label), [label])
  return (
    <button type="button" className={styles.pillNew} onClick={onShow}>
      {highest ? <PriorityMark priority={highest} /> : <Icon of={ArrowUp} />}
      {label}
    </button>
  )
}

/** `start`: the offset in the list, in pixels. Undefined for the header that sticks to the top. */
function SectionHeader({
  section,
  count,
  start,
}: {
  section: RowSection
  count: number
  start: number | undefined
}) {
  return (
    <div
      className={classes(
        rowsStyles.group,
        start === undefined && rowsStyles.stuck,
        section === 'waiting' && rowsStyles.last,
      )}
      role="presentation"
      style={start === undefined ? undefined : positionRow(start)}
    >
      <span>{section === 'waiting' ? 'Waiting for the agent' : priorityLabels[section]}</span>
      <span className="num">{formatSectionCount(count)}</span>
    </div>
  )
}

function withSectionHeaders(rows: ListedRow[], hasSections: boolean): Item[] {
  const items: Item[] = []
  let section: RowSection | undefined
  for (const [index, row] of rows.entries()) {
    if (hasSections && row.section !== section) items.push({ kind: 'section', section: row.section })
    section = row.section
    items.push({ kind: 'row', row, index })
  }
  return items
}

function sectionHeaderAbove(items: Item[], from: number): number {
  return items.slice(0, from + 1).findLastIndex(({ kind }) => kind === 'section')
}

function firstUnloadedPage(inView: Item[]): number | undefined {
  for (const item of inView) if (item.kind === 'row' && isUnloaded(item.row)) return item.row.page
  return undefined
}

function keyOf(item: Item): string {
  return item.kind === 'section' ? item.section : item.row.taskId
}
