import { type ComponentProps, useCallback, useEffect, useMemo, useRef, useState } from 'react'
import { classes } from '../../lib/classes.ts'
import { formatTotalCount } from '../../lib/count.ts'
import { onFirstPageShown } from '../../lib/preload.ts'
import { markSeen } from '../../lib/seen.ts'
import { showBadge } from '../../lib/show-badge.ts'
import { useIsPhone } from '../../lib/use-is-phone.ts'
import { type OpenCount, useTotalOpenCount } from '../../lib/use-open-count.ts'
import { useTitle } from '../../lib/use-title.ts'
import { useWorkspace } from '../../lib/workspace.ts'
import { AnswerFrame } from '../../parts/answers/answer-frame.tsx'
import { useAnsweredIds, useAnswerQueue } from '../../parts/answers/use-answer-queue.ts'
import { useNotice } from '../../parts/answers/use-notice.ts'
import { useSendAnswers } from '../../parts/answers/use-send-answers.ts'
import { Nav } from '../../parts/shell/nav.tsx'
import { forMe, type InboxFilters, isFiltered, isSameFilter } from '../../parts/task-list/inbox-filters.ts'
import { useListNavigation } from '../../parts/task-list/use-list-navigation.ts'
import { useOpenFirstResult } from '../../parts/task-list/use-open-first-result.ts'
import { useStepThrough } from '../../parts/task-list/use-step-through.ts'
import { LazyTaskPane } from '../../parts/task-view/lazy-task-pane.tsx'
import type { OnAsked } from '../../parts/task-view/questions/use-question-composer.ts'
import { TaskPlaceholder } from '../../parts/task-view/task-placeholder.tsx'
import { KeyCap } from '../../ui/key-cap.tsx'
import panesStyles from '../../ui/panes.module.css'
import { withoutAnswered } from './change-inbox.ts'
import { InboxBar } from './inbox-bar.tsx'
import { InboxList } from './inbox-list.tsx'
import { isUnloaded, type ListedRow, nextTask, positionLabel } from './listed-rows.ts'
import { StartPane } from './start-pane.tsx'
import type { SelectionMode } from './task-row.tsx'
import { type Inbox, useInbox } from './use-inbox.ts'
import { useInboxEvents } from './use-inbox-events.ts'
import { useInboxKeys } from './use-inbox-keys.ts'
import { useInboxUrl } from './use-inbox-url.ts'
import { useReadAhead } from './use-read-ahead.ts'
import { type Selection, useSelection } from './use-selection.ts'
import { useSnooze } from './use-snooze.ts'

export function InboxPage() {
  const isPhone = useIsPhone()
  const url = useInboxUrl()
  const { filters, openTask, setFilters } = url
  const hasFilters = isFiltered(filters)
  const { taskId, isStepping, stepTo } = useStepThrough(url.taskId, openTask)
  const inbox = useInbox(filters, taskId, useInboxEvents(openTask), url.openForMeOnFirstVisit)
  const answered = useAnsweredIds()
  const state = useMemo(() => withoutAnswered(inbox.state, answered), [inbox.state, answered])
  const { rows, isLoaded } = state
  useEffect(() => {
    if (isLoaded) onFirstPageShown()
  }, [isLoaded])
  const list = { rows, taskId, listId: 'open-tasks', frameId: 'inbox', onOpen: openTask, onStep: stepTo }
  const { position, step, focusList, isInList, onPrevious, onNext } = useListNavigation(list)
  useReadAhead(rows, position)
  const isCurrent = isLoaded && !inbox.isStale
  const listedCount = formatTotalCount(state.counts)
  const total = useTotalOpenCount({ counts: state.counts, isCurrent, isFiltered: hasFilters })
  useCountInTitle(total)
  useQueueSync(inbox)
  useLoadMoreWhenEmpty(inbox, isLoaded && rows.length === 0)

  const openRow = useCallback((id: string) => openTask(id), [openTask])
  const search = { q: filters.q, isCurrent, rows, displayedId: taskId, onOpen: openRow }
  const openFirstResult = useOpenFirstResult(search)
  const send = useSendAndAdvance(rows, taskId, openTask, focusList)
  const selection = useSelection(rows, inbox.state.rows)
  const selectRow = useSelectRow(selection)
  const keys = { rows, taskId, position, selection, filters, step, isInList, focusList }
  useInboxKeys({ ...keys, onClose: () => openTask(undefined), onFilter: setFilters })

  const removeEnded = useRemoveEnded(inbox, taskId)
  useMarkSeen(isStepping ? undefined : taskId)

  const isAllDone = rows.length === 0 && inbox.isFullyLoaded && !taskId && !hasFilters
  useFocusWhenEmptied(isAllDone, rows.length > 0, focusList)

  const isBulk = selection.revisions.size > 0
  const { undoable, ...snooze } = useSnooze({ inbox, filters, rows, taskId, openTask, focusList })
  const { onAsked, askedNotice } = useAskedAndAdvance(inbox, rows, openTask, focusList)
  const pane = {
    position: positionLabel(rows, position, listedCount),
    onPrevious,
    onNext,
    onBack: () => openTask(undefined),
    isSelecting: isBulk,
    ...snooze,
    onSend: send,
    onAsked,
    onDraft: () => taskId && inbox.change({ kind: 'draft', taskId }),
  }
  const start = { state, answered, listedCount, onOpen: openRow }
  const isListAlone = isAllDone || (isPhone && !taskId)
  const isOverview = !hasFilters || isSameFilter(filters, forMe)
  const isStart = !taskId && !isListAlone && isOverview && isLoaded && rows.length > 0
  return (
    <div className={taskId ? 'app at-task' : 'app'}>
      <a className="skip" href={taskId ? '#task' : '#inbox'}>
        {taskId ? 'Skip to task' : 'Skip to task list'}
      </a>
      <Nav openCount={total?.open ?? 0} />
      <AnswerFrame
        className={classes(
          taskId && 'at-task',
          isAllDone && panesStyles.allDone,
          isBulk && panesStyles.withBulk,
        )}
        onOpen={(answer) => {
          url.openInOwnWorkspace(answer)
          focusList()
        }}
        onBulkUndone={focusList}
        undoable={undoable}
        notice={askedNotice}
      >
        <section
          className={panesStyles.list}
          id="inbox"
          tabIndex={-1}
          aria-label="Inbox"
          {...(isListAlone && { role: 'main' })}
        >
          <InboxBar
            isSubheading={taskId !== undefined || isStart}
            count={isCurrent ? `${listedCount} ${countLabel(filters)}` : undefined}
            filters={filters}
            snoozedCount={state.snoozed.taskIds.length}
            onFilter={setFilters}
            onSubmitSearch={openFirstResult}
            onLeaveSearch={() => requestAnimationFrame(focusList)}
          />
          <InboxList
            inbox={inbox}
            state={state}
            filters={filters}
            total={total}
            displayedId={taskId}
            selected={selection.revisions}
            onOpen={openRow}
            onSelect={selectRow}
            onFilter={setFilters}
            onShowNew={() => void showNew(inbox, focusList)}
            onRemoveEnded={removeEnded}
            onAnswerSelected={(answers) => void send(answers, { isBulk: true })}
            onClearSelected={selection.clear}
          />
        </section>
        {taskId ? (
          <DisplayedTask taskId={taskId} isStepping={isStepping} {...pane} />
        ) : (
          !isListAlone && <NoTaskDisplayed isStart={isStart} {...start} />
        )}
      </AnswerFrame>
    </div>
  )
}

/** Sends answers. If the displayed task was among them, opens the next one. */
function useSendAndAdvance(
  rows: ListedRow[],
  taskId: string | undefined,
  openTask: (taskId: string | undefined, options: { replace: boolean }) => void,
  focusList: () => void,
) {
  const { me } = useWorkspace()
  const latestId = useRef(taskId)
  latestId.current = taskId
  useEffect(
    () => () => {
      latestId.current = undefined
    },
    [],
  )
  const { send } = useSendAnswers((answeredIds) => {
    if (taskId && answeredIds.has(taskId)) {
      // The person has opened another task or page during the request.
      if (latestId.current !== taskId) return
      const remaining = rows.filter((row) => row.taskId === taskId || !answeredIds.has(row.taskId))
      openTask(nextTask(remaining, taskId, me.person.userId, Date.now()), { replace: true })
    }
    focusList()
  })
  return send
}

async function showNew(inbox: Inbox, focusList: () => void): Promise<void> {
  await inbox.reload()
  document.getElementById('open-tasks')?.scrollTo({ top: 0 })
  focusList()
}

/** Marks the task as waiting for the agent and says so. If it is the displayed task, opens the next one. */
function useAskedAndAdvance(
  { change }: Inbox,
  rows: ListedRow[],
  openTask: (taskId: string | undefined, options: { replace: boolean }) => void,
  focusList: () => void,
) {
  const { me } = useWorkspace()
  const [askedNotice, setAskedNotice] = useNotice()
  const onAsked: OnAsked = (taskId, { kind, text, askedBy, askedAt, waitingUntil }, isShown) => {
    // The question was sent twice, and the agent has replied to the first attempt already.
    if (waitingUntil === undefined) return
    change({ kind: 'asked', taskId, question: { text, askedBy, at: askedAt } })
    // The next task may have the same name, so the page must say that this one was asked about.
    const row = rows.find((listed) => listed.taskId === taskId)
    const name = row && !isUnloaded(row) ? `: ${row.name}` : ''
    setAskedNotice(`${kind === 'changes' ? 'Changes requested' : 'Question sent'}${name}`)
    if (!isShown) return
    openTask(nextTask(rows, taskId, me.person.userId, Date.now()), { replace: true })
    focusList()
  }
  return { onAsked, askedNotice }
}

function useMarkSeen(taskId: string | undefined): void {
  useEffect(() => {
    if (taskId) markSeen(taskId)
  }, [taskId])
}

/** Shows the number of open tasks of the whole inbox in the page title and on the icon of the app. */
function useCountInTitle(total: OpenCount | undefined): void {
  const open = total?.open ?? 0
  useEffect(() => showBadge(open), [open])
  useTitle(total && open > 0 ? `(${formatTotalCount(total)}) Inbox` : 'Inbox')
}

/** Keeps the list and the answer queue consistent. */
function useQueueSync(inbox: Inbox): void {
  const { queue, hidden, answeredRevisions } = useAnswerQueue()
  useEffect(() => {
    if (hidden.size > 0) inbox.change({ kind: 'answered', taskIds: hidden })
  }, [inbox.change, hidden])
  useEffect(() => {
    if (answeredRevisions.size > 0)
      inbox.change({ kind: 'answered-among-others', revisions: answeredRevisions })
  }, [inbox.change, answeredRevisions])
  useEffect(() => {
    if (inbox.live === 'connected') queue.retryNow()
  }, [inbox.live, queue])
}

/** `hasNoRows`: the list is loaded and has no rows left. */
function useLoadMoreWhenEmpty({ isFullyLoaded, loadMore }: Inbox, hasNoRows: boolean): void {
  useEffect(() => {
    if (hasNoRows && !isFullyLoaded) loadMore()
  }, [isFullyLoaded, loadMore, hasNoRows])
}

/**
 * Removes the rows of ended tasks, except that of the displayed task, whenever another task is
 * opened. Returns a function that does the same.
 */
function useRemoveEnded({ change }: Inbox, taskId: string | undefined): () => void {
  const removeEnded = useCallback(() => change({ kind: 'remove-ended', keep: taskId }), [change, taskId])
  useEffect(() => removeEnded(), [removeEnded])
  return removeEnded
}

/** Moves the focus when the list disappears with its last row. */
function useFocusWhenEmptied(isAllDone: boolean, hasRows: boolean, focusList: () => void): void {
  const hadRows = useRef(false)
  if (hasRows) hadRows.current = true
  useEffect(() => {
    if (isAllDone && hadRows.current) focusList()
  }, [isAllDone])
}

/** Stable across renders, so that memoized rows do not render again. */
function useSelectRow(selection: Selection): (taskId: string, mode: SelectionMode) => void {
  const latest = useRef(selection)
  latest.current = selection
  return useCallback((id: string, mode: SelectionMode) => {
    if (mode === 'toggle') latest.current.toggle(id)
    else latest.current.extendTo(id)
  }, [])
}

type DisplayedTaskProps = ComponentProps<typeof LazyTaskPane> & { isStepping: boolean }

/**
 * Shows a placeholder instead of the task while the person steps through the list, because rendering
 * each task would take too long, and in the first frame, in which the list scrolls to the task.
 */
function DisplayedTask({ isStepping, taskId, ...pane }: DisplayedTaskProps) {
  // A tab in the background has no frames.
  const [isFirstFrame, setFirstFrame] = useState(() => !document.hidden)
  useEffect(() => void requestAnimationFrame(() => setFirstFrame(false)), [])
  if (isStepping || isFirstFrame) return <TaskPlaceholder {...pane} />
  return <LazyTaskPane key={taskId} taskId={taskId} {...pane} />
}

type NoTaskDisplayedProps = ComponentProps<typeof StartPane> & {
  /** Shows the overview: the list is All or For me, it has rows, and no task is displayed. */
  isStart: boolean
}

function NoTaskDisplayed({ isStart, ...start }: NoTaskDisplayedProps) {
  if (isStart) return <StartPane {...start} />
  return (
    <main className={`empty ${panesStyles.none}`}>
      {start.state.rows.length > 0 && (
        <p>
          Open a task from the list <KeyCap>J</KeyCap>
        </p>
      )}
    </main>
  )
}

function countLabel({ q, ...filters }: InboxFilters): string {
  if (q !== undefined) return 'found'
  return isFiltered(filters) ? 'matching' : 'open'
}
