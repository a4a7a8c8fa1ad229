import { defaultRangeExtractor, useVirtualizer } from '@tanstack/react-virtual'
import { ArrowUp } from 'lucide-react'
import { useCallback, useEffect, useMemo, useRef } from 'react'
import type { Priority } from '../../../contract/task.ts'
import { groupCount } from '../../lib/count.ts'
import { useWorkspace } from '../../lib/person.ts'
import { usePreference } from '../../lib/preferences.ts'
import { isSeen } from '../../lib/seen.ts'
import { useIsPhone } from '../../lib/use-media.ts'
import { useNameOf } from '../../lib/use-members.ts'
import { useNow } from '../../lib/use-now.ts'
import { placeAt } from '../../parts/task-list/place-at.ts'
import { RowSkeleton } from '../../parts/task-list/row-skeletons.tsx'
import { scrollToItem } from '../../parts/task-list/scroll-to-item.ts'
import { Icon } from '../../ui/icon.tsx'
import { priorityWord } from '../../ui/priority-mark.tsx'
import type { InboxState } from './inbox-state.ts'
import { isFar, type ListedRow } from './listed-rows.ts'
import { type HowChosen, TaskRow } from './task-row.tsx'

type Item = { kind: 'group'; rank: Priority } | { kind: 'row'; row: ListedRow; index: number }

type Props = {
  inbox: InboxState
  openId: string | undefined
  /** Chosen to be answered together. */
  chosen: ReadonlySet<string>
  onOpen: (taskId: string) => void
  onChoose: (taskId: string, how: HowChosen) => void
  onMore: () => void
  /** A page came into view of which only the place was kept. */
  onFar: (page: number) => void
  onShowNew: () => void
  /** The pointer has left the list: rows may go now. */
  onQuiet: () => void
}

// Heights in rem, as in the style sheet, so that larger text gets larger rows.
const rowRem = { comfortable: 3.75, compact: 2.5, phone: 4.25 }
const groupRem = 1.75

const labels = {
  thread: 'Open tasks, by priority, oldest first',
  priority: 'Open tasks that fit the filters, by priority, oldest first',
  newest: 'Open tasks that were found, newest first',
}

export function TaskList(props: Props) {
  const { inbox, openId, chosen, onOpen, onChoose, onMore, onFar, onShowNew, onQuiet } = props
  const { me } = useWorkspace()
  const now = useNow()
  const nameOf = useNameOf()
  const isPhone = useIsPhone()
  const isCompact = usePreference('density') === 'compact' && !isPhone
  const height = rowRem[isPhone ? 'phone' : isCompact ? 'compact' : 'comfortable']
  const scroller = useRef<HTMLDivElement>(null)
  const { order } = inbox.view
  const items = useMemo(() => withGroups(inbox.rows, order !== 'newest'), [inbox.rows, order])
  const rem = Number.parseFloat(getComputedStyle(document.documentElement).fontSize)
  const openItem = items.findIndex((item) => item.kind === 'row' && item.row.taskId === openId)
  const isPointerOver = useRef(false)

  const list = useVirtualizer({
    count: items.length,
    getScrollElement: () => scroller.current,
    estimateSize: (n) => (items[n]?.kind === 'group' ? groupRem : height) * rem,
    // The same function while the rows are: a new one makes the list measure all of them anew, at every scroll.
    getItemKey: useCallback((n: number) => keyOf(items[n]), [items]),
    overscan: 8,
    scrollPaddingStart: groupRem * rem,
    // Two rows are always drawn: the head of the topmost group, which sticks, and the open one, which the list names
    // as its active descendant.
    rangeExtractor: (range) => {
      const needed = new Set(defaultRangeExtractor(range))
      needed.add(headAbove(items, range.startIndex))
      if (openItem >= 0) needed.add(openItem)
      return [...needed].filter((n) => n >= 0).sort((a, b) => a - b)
    },
  })
  const drawn = list.getVirtualItems()
  const firstVisible = list.range?.startIndex ?? 0
  const stuck = headAbove(items, firstVisible)
  const lastDrawn = drawn.at(-1)?.index ?? 0
  const farPage = pageToRead(items.slice(firstVisible, (list.range?.endIndex ?? firstVisible) + 1))

  // The list keeps the heights it has measured with.
  useEffect(() => list.measure(), [height, rem, list])

  // Another view begins at its top.
  // Chromium's scrollTo gives a promise, which React would take for a way to clean up.
  useEffect(() => void scroller.current?.scrollTo({ top: 0 }), [inbox.view])

  // Only another open task scrolls the list, not a change of it.
  useEffect(() => {
    if (openItem >= 0) scrollToItem(list, openItem)
  }, [openId])

  // One page is read at a time, so after each change it is asked again what is missing.
  useEffect(() => {
    if (farPage !== undefined) onFar(farPage)
    else if (inbox.nextCursor !== null && lastDrawn >= items.length - 30) onMore()
  }, [farPage, inbox.nextCursor, items, lastDrawn, onFar, onMore])

  // Whenever a row ended, and nobody is about to click.
  useEffect(() => {
    if (!isPointerOver.current) onQuiet()
  }, [inbox.gone])

  return (
    <div className="rows-box">
      {inbox.arrived.length > 0 && (
        <button type="button" className="pill-new" onClick={onShowNew}>
          <Icon of={ArrowUp} />
          {inbox.arrived.length} new
        </button>
      )}
      <div
        ref={scroller}
        className={`rows${isCompact ? ' compact' : ''}${chosen.size > 0 ? ' choosing' : ''}`}
        id="open-tasks"
        role="listbox"
        tabIndex={0}
        aria-label={labels[order]}
        aria-multiselectable="true"
        aria-activedescendant={openItem >= 0 ? `row-${openId}` : undefined}
        onPointerEnter={() => {
          isPointerOver.current = true
        }}
        onPointerLeave={() => {
          isPointerOver.current = false
          onQuiet()
        }}
      >
        <div className="run" role="presentation" style={{ height: list.getTotalSize() }}>
          {drawn.map(({ index, key, start }) => {
            const item = items[index]
            if (!item) return null
            if (item.kind === 'group') {
              return (
                <div
                  key={key}
                  className={index === stuck ? 'group stuck' : 'group'}
                  role="presentation"
                  style={index === stuck ? undefined : placeAt(start)}
                >
                  <span>{priorityWord[item.rank]}</span>
                  <span className="num">{groupCount(inbox.counts.byPriority[item.rank] ?? 0)}</span>
                </div>
              )
            }
            return (
              <div key={key} role="presentation" style={placeAt(start)}>
                {isFar(item.row) ? (
                  <RowSkeleton />
                ) : (
                  <TaskRow
                    row={item.row}
                    isOpen={item.row.taskId === openId}
                    isChosen={chosen.has(item.row.taskId)}
                    seen={isSeen(item.row.taskId)}
                    me={me.person}
                    nameOf={nameOf}
                    now={now}
                    position={item.index + 1}
                    of={Math.max(inbox.counts.open, inbox.rows.length)}
                    onOpen={onOpen}
                    onChoose={onChoose}
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

function withGroups(rows: ListedRow[], isGrouped: boolean): Item[] {
  if (!isGrouped) return rows.map((row, index) => ({ kind: 'row', row, index }))
  const items: Item[] = []
  let rank: Priority | undefined
  for (const [index, row] of rows.entries()) {
    if (row.rank !== rank) items.push({ kind: 'group', rank: row.rank })
    rank = row.rank
    items.push({ kind: 'row', row, index })
  }
  return items
}

function headAbove(items: Item[], from: number): number {
  for (let n = Math.min(from, items.length - 1); n >= 0; n--) if (items[n]?.kind === 'group') return n
  return -1
}

function pageToRead(inView: Item[]): number | undefined {
  const far = inView.find((item) => item.kind === 'row' && isFar(item.row))
  return far?.kind === 'row' ? far.row.page : undefined
}

function keyOf(item: Item | undefined): string {
  if (!item) return ''
  return item.kind === 'group' ? item.rank : item.row.taskId
}
