import { useQueryClient } from '@tanstack/react-query'
import { useNavigate, useParams, useSearch } from '@tanstack/react-router'
import { Clock, RotateCw } from 'lucide-react'
import { lazy, Suspense, useCallback, useEffect, useMemo, useRef } from 'react'
import type { InboxEvent } from '../../../contract/inbox.ts'
import type { TaskRecord } from '../../../contract/task.ts'
import { totalCount } from '../../lib/count.ts'
import { notifyOf, showBadge } from '../../lib/notify.ts'
import { useHere } from '../../lib/person.ts'
import { markSeen } from '../../lib/seen.ts'
import type { Answer } from '../../lib/send-answer.ts'
import { useShortcuts } from '../../lib/shortcuts.ts'
import { useIsPhone } from '../../lib/use-media.ts'
import { useTitle } from '../../lib/use-title.ts'
import { AnswerFrame } from '../../parts/answers/answer-frame.tsx'
import { useAnsweredIds, useAnswers, useQueue } from '../../parts/answers/use-answers.ts'
import { useCanKeep } from '../../parts/answers/use-can-keep.ts'
import { Nav } from '../../parts/shell/nav.tsx'
import { type InboxFilters, isFiltered, noFilters, readFilters } from '../../parts/task-list/inbox-filters.ts'
import { RowSkeletons } from '../../parts/task-list/row-skeletons.tsx'
import { useOpenInAll } from '../../parts/task-list/use-open-count.ts'
import { useOpenFound } from '../../parts/task-list/use-open-found.ts'
import { useStepThrough } from '../../parts/task-list/use-step-through.ts'
import { focusTask, useSteps } from '../../parts/task-list/use-steps.ts'
import { LateTaskPane, usePreloadedTaskPane } from '../../parts/task-view/lazy-task-pane.tsx'
import { PassedTask } from '../../parts/task-view/task-placeholder.tsx'
import { taskQuery, withUpdate } from '../../parts/task-view/task-query.ts'
import { Icon } from '../../ui/icon.tsx'
import { KeyCap } from '../../ui/key-cap.tsx'
import { ProblemStrip, Strip } from '../../ui/strip.tsx'
import { EmptyInbox } from './empty-inbox.tsx'
import { InboxBar } from './inbox-bar.tsx'
import { withoutAnswered } from './inbox-state.ts'
import { isFar, nextTask } from './listed-rows.ts'
import { NothingFits } from './no-matches.tsx'
import { TaskList } from './task-list.tsx'
import type { HowChosen } from './task-row.tsx'
import { useInbox } from './use-inbox.ts'
import { useSelection } from './use-selection.ts'

// Most days nobody answers many at once.
const BulkBar = lazy(() => import('./bulk-bar.tsx'))

// A frame, so that what is read ahead does not hold up the step itself, and less than a held key takes to repeat.
const afterStepMilliseconds = 20

export function InboxPage() {
  const { taskId: addressId } = useParams({ strict: false })
  const search = useSearch({ from: '/w/$workspaceId/inbox' })
  // The same filters are the same object: what is read by them is read once.
  const address = JSON.stringify(readFilters(search))
  const filters: InboxFilters = useMemo(() => JSON.parse(address), [address])
  const isPart = isFiltered(filters)
  const { me, workspaceId, api } = useHere()
  const navigate = useNavigate()
  const queryClient = useQueryClient()
  const isPhone = useIsPhone()

  const open = useCallback(
    (id: string | undefined, replace = false) =>
      void (id
        ? navigate({
            to: '/w/$workspaceId/inbox/$taskId',
            params: { workspaceId, taskId: id },
            search: true,
            replace,
          })
        : navigate({ to: '/w/$workspaceId/inbox', params: { workspaceId }, search: true, replace })),
    [navigate, workspaceId],
  )
  const { taskId, isStepping, stepTo } = useStepThrough(addressId, open)
  const onEvent = useCallback(
    (event: InboxEvent) => {
      const { queryKey } = taskQuery(api, workspaceId, event.taskId)
      // A claim is no part of the timeline, and reading it again would cut off a page that is just being read.
      if (!/claimed|released/.test(event.type)) {
        void queryClient.invalidateQueries({ queryKey: ['timeline', workspaceId, event.threadId] })
      }
      if (event.type === 'service/task_updated') {
        queryClient.setQueryData<TaskRecord>(queryKey, (task) => task && withUpdate(task, event))
      } else if (/handled|cancelled|expired/.test(event.type)) {
        void queryClient.invalidateQueries({ queryKey })
      }
      notifyOf(event, open)
    },
    [api, open, queryClient, workspaceId],
  )
  const inbox = useInbox(filters, taskId, onEvent)
  const answered = useAnsweredIds()
  const state = useMemo(() => withoutAnswered(inbox.state, answered), [inbox.state, answered])
  const { rows, counts, loaded } = state
  usePreloadedTaskPane(loaded)
  const { place, step, focusList, isInList, onPrevious, onNext } = useSteps({
    rows,
    taskId,
    listId: 'open-tasks',
    frameId: 'inbox',
    onOpen: open,
    onStep: stepTo,
  })
  const openCount = totalCount(counts)
  const openInAll = useOpenInAll(isPart, loaded && !inbox.isStale, counts)
  useEffect(() => showBadge(openInAll), [openInAll])
  useTitle(openInAll > 0 ? `(${isPart ? openInAll : openCount}) Inbox` : 'Inbox')

  const filter = (changed: InboxFilters, replace = false) =>
    void navigate({ to: '.', search: changed, replace })
  const openRow = useCallback((id: string) => open(id), [open])
  const isCurrent = loaded && !inbox.isStale
  const openFound = useOpenFound({ q: filters.q, isCurrent, rows, openId: taskId, onOpen: openRow })

  const { queue, gone } = useQueue()
  const canKeep = useCanKeep()
  // From now on the list itself knows.
  useEffect(() => {
    if (gone.size > 0) inbox.change({ kind: 'answered', taskIds: gone })
  }, [inbox.change, gone])
  // All that was read has ended or was answered, but that was not all.
  const isBare = loaded && rows.length === 0 && !inbox.isReadToTheEnd
  useEffect(() => {
    if (isBare) inbox.loadMore()
  }, [inbox.loadMore, isBare])
  useEffect(() => {
    if (inbox.live === 'connected') queue.tryNow()
  }, [inbox.live, queue])

  const { send } = useAnswers((goneIds) => {
    if (taskId && goneIds.has(taskId)) {
      const left = rows.filter((row) => row.taskId === taskId || !goneIds.has(row.taskId))
      open(nextTask(left, taskId, me.person.userId, Date.now()), true)
    }
    focusList()
  })
  const openTaskOf = (answer: Answer) => {
    void navigate({
      to: '/w/$workspaceId/inbox/$taskId',
      params: { workspaceId: answer.workspaceId, taskId: answer.taskId },
      search: true,
    })
    focusList()
  }

  const selection = useSelection(rows)
  const chosenIds = useMemo(() => [...selection.ids], [selection.ids])
  const isBulk = chosenIds.length > 0
  function answerChosen(answer: Pick<Answer, 'actionId' | 'title' | 'data'>) {
    const chosen = rows.filter((row) => selection.ids.has(row.taskId))
    const names = chosen.map((row) => ({ taskId: row.taskId, taskName: isFar(row) ? '' : row.name }))
    void send(
      names.map((task) => ({ ...answer, ...task, workspaceId })),
      { isBulk: true },
    )
  }
  const choose = (id: string, how: HowChosen) =>
    how === 'toggle' ? selection.toggle(id) : selection.extendTo(id)
  const latestChoose = useRef(choose)
  latestChoose.current = choose
  const chooseRow = useCallback((id: string, how: HowChosen) => latestChoose.current(id, how), [])

  function extend(event: KeyboardEvent, by: 1 | -1) {
    const next = rows[place < 0 ? 0 : place + by]
    selection.add(
      [taskId, next?.taskId].filter(
        (id) => id !== undefined && rows.some((row) => row.taskId === id),
      ) as string[],
    )
    step(event, by)
  }

  useShortcuts({
    x: () => (place >= 0 && taskId ? selection.toggle(taskId) : undefined),
    'Shift+j': (event) => extend(event, 1),
    'Shift+k': (event) => extend(event, -1),
    '$mod+a': (event) => {
      if (!isInList(event)) return
      event.preventDefault()
      selection.addAll()
    },
    Escape: (event) => {
      const field = event.target instanceof HTMLElement && event.target.matches('input, textarea, select')
      if (field && taskId) return focusTask()
      if (selection.ids.size > 0) return selection.clear()
      if (isPhone && taskId) return open(undefined)
      if (filters.q !== undefined && isInList(event)) filter({ ...filters, q: undefined })
      focusList()
    },
  })

  // What ended elsewhere stays in the list while it is open in front of someone.
  const sweep = useCallback(() => inbox.change({ kind: 'sweep', keep: taskId }), [inbox.change, taskId])
  useEffect(() => sweep(), [sweep])
  useEffect(() => {
    if (taskId && !isStepping) markSeen(taskId)
  }, [isStepping, taskId])

  // The next two are read ahead, so that going on is instant.
  const ahead =
    place < 0
      ? ''
      : rows
          .slice(place + 1, place + 3)
          .map((row) => row.taskId)
          .join(' ')
  useEffect(() => {
    if (ahead === '') return undefined
    const read = () => {
      for (const id of ahead.split(' ')) void queryClient.prefetchQuery(taskQuery(api, workspaceId, id))
    }
    const timer = setTimeout(read, afterStepMilliseconds)
    return () => clearTimeout(timer)
  }, [ahead, api, queryClient, workspaceId])

  function showNew() {
    void inbox.reload().then(() => {
      document.getElementById('open-tasks')?.scrollTo({ top: 0 })
      focusList()
    })
  }

  const isEmpty = rows.length === 0 && inbox.isReadToTheEnd
  const isAllDone = isEmpty && !taskId && !isPart

  // The list that had the focus is gone with its last row.
  const hadRows = useRef(false)
  if (rows.length > 0) hadRows.current = true
  useEffect(() => {
    if (isAllDone && hadRows.current) focusList()
  }, [isAllDone])

  const bar = {
    place: place < 0 ? undefined : `${place + 1} of ${openCount}`,
    onPrevious,
    onNext,
    onBack: () => open(undefined),
  }
  const isListAlone = isAllDone || (isPhone && !taskId)
  return (
    <div className={taskId ? 'app at-task' : 'app'}>
      <a className="skip" href={taskId ? '#task' : '#inbox'}>
        {taskId ? 'Skip to the open task' : 'Skip to the open tasks'}
      </a>
      <Nav open={openInAll} />
      <AnswerFrame
        className={`inbox${taskId ? ' at-task' : ''}${isAllDone ? ' all-done' : ''}${isBulk ? ' with-bulk' : ''}`}
        onOpen={openTaskOf}
        onReturn={focusList}
      >
        <section
          className="list"
          id="inbox"
          tabIndex={-1}
          aria-label="Inbox"
          {...(isListAlone && { role: 'main' })}
        >
          <InboxBar
            isTaskOpen={taskId !== undefined}
            count={loaded ? `${openCount} ${countWord(filters)}` : undefined}
            filters={filters}
            onFilter={filter}
            onEnterSearch={openFound}
            onLeaveSearch={() => requestAnimationFrame(focusList)}
          />
          {inbox.live === 'reconnecting' && (
            <Strip tone="warn" icon={RotateCw}>
              Reconnecting. You can keep working:{' '}
              {canKeep
                ? 'your answers are saved in this browser.'
                : 'your answers are kept while this tab is open.'}
            </Strip>
          )}
          {inbox.live === 'polling' && (
            <p className="quiet-note" role="status">
              <Icon of={Clock} />
              No live line. Looking every 15 seconds.
            </p>
          )}
          {inbox.problem && inbox.problem.status !== 401 && (
            <ProblemStrip
              what={loaded ? 'The list is not up to date.' : 'The inbox did not load.'}
              problem={inbox.problem}
              onRetry={() => void inbox.reload()}
            />
          )}
          {rows.length > 0 ? (
            <TaskList
              inbox={state}
              openId={taskId}
              chosen={selection.ids}
              onOpen={openRow}
              onChoose={chooseRow}
              onMore={inbox.loadMore}
              onFar={inbox.loadAgain}
              onShowNew={showNew}
              onQuiet={sweep}
            />
          ) : isEmpty ? (
            isPart ? (
              <NothingFits q={filters.q} onClear={() => filter(noFilters)} />
            ) : (
              <EmptyInbox />
            )
          ) : (
            !inbox.problem && <RowSkeletons />
          )}
          {isBulk && (
            <Suspense>
              <BulkBar taskIds={chosenIds} onAnswer={answerChosen} onClear={selection.clear} />
            </Suspense>
          )}
        </section>
        {taskId && isStepping ? (
          <PassedTask {...bar} />
        ) : taskId ? (
          <LateTaskPane
            key={taskId}
            taskId={taskId}
            {...bar}
            onSend={send}
            isChoosing={chosenIds.length > 0}
            onDraft={() => inbox.change({ kind: 'draft', taskId, hasDraft: true })}
          />
        ) : isListAlone ? null : (
          <main className="none empty">
            {loaded && rows.length > 0 && (
              <p>
                Choose a task on the left, or press <KeyCap>J</KeyCap> for the first.
              </p>
            )}
          </main>
        )}
      </AnswerFrame>
    </div>
  )
}

function countWord({ q, ...filters }: InboxFilters): string {
  if (q !== undefined) return 'found'
  return isFiltered(filters) ? 'fit' : 'open'
}
