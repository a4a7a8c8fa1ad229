import { useQueryClient } from '@tanstack/react-query'
import { useNavigate, useParams } from '@tanstack/react-router'
import { RotateCw } from 'lucide-react'
import { useCallback, useEffect, useRef } from 'react'
import type { InboxEvent } from '../../../contract/inbox.ts'
import type { TaskRecord } from '../../../contract/task.ts'
import { useHere } from '../../lib/person.ts'
import { markSeen } from '../../lib/seen.ts'
import { useShortcuts } from '../../lib/shortcuts.ts'
import { useIsPhone } from '../../lib/use-media.ts'
import { useTitle } from '../../lib/use-title.ts'
import { KeyCap } from '../../ui/key-cap.tsx'
import { ProblemStrip, Strip } from '../../ui/strip.tsx'
import { Nav } from '../shell/nav.tsx'
import { TaskPane } from '../task/task-pane.tsx'
import { taskQuery, withUpdate } from '../task/task-query.ts'
import { AnswerToast } from './answer-toast.tsx'
import { totalCount } from './count.ts'
import { EmptyInbox } from './empty-inbox.tsx'
import { nextTask } from './listed-rows.ts'
import { RowSkeletons } from './row-skeletons.tsx'
import { TaskList } from './task-list.tsx'
import { useAnswers } from './use-answers.ts'
import { useInbox } from './use-inbox.ts'

export function InboxPage() {
  const { taskId } = useParams({ strict: false })
  const { me, workspaceId, api } = useHere()
  const navigate = useNavigate()
  const queryClient = useQueryClient()
  const isPhone = useIsPhone()

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
    },
    [api, queryClient, workspaceId],
  )
  const inbox = useInbox(taskId, onEvent)
  const { rows, counts, loaded } = inbox.state
  const place = rows.findIndex((row) => row.taskId === taskId)
  const openCount = totalCount(counts)
  useTitle(counts.open > 0 ? `(${openCount}) Inbox` : 'Inbox')

  const open = useCallback(
    (id: string | undefined, replace = false) =>
      void (id
        ? navigate({ to: '/w/$workspaceId/inbox/$taskId', params: { workspaceId, taskId: id }, replace })
        : navigate({ to: '/w/$workspaceId/inbox', params: { workspaceId }, replace })),
    [navigate, workspaceId],
  )
  const openRow = useCallback((id: string) => open(id), [open])

  const answers = useAnswers({
    onGone(goneId) {
      const index = rows.findIndex((row) => row.taskId === goneId)
      const row = rows[index]
      inbox.change({ kind: 'answered', taskId: goneId })
      if (goneId === taskId) {
        open(nextTask(rows, goneId, me.person.userId, Date.now()), true)
        focusList()
      }
      return () => inbox.change({ kind: 'restored', taskId: goneId, row, index })
    },
  })

  function move(by: 1 | -1) {
    const target = rows[place < 0 ? 0 : place + by]
    if (!target || (place < 0 && by < 0)) return
    open(target.taskId, taskId !== undefined)
    focusList()
  }

  function stepInList(event: KeyboardEvent, by: 1 | -1) {
    if (!isInList(event)) return
    event.preventDefault()
    move(by)
  }

  useShortcuts({
    j: () => move(1),
    k: () => move(-1),
    ArrowDown: (event) => stepInList(event, 1),
    ArrowUp: (event) => stepInList(event, -1),
    Enter: (event) => isInList(event) && (taskId ? focusTask() : move(1)),
    o: () => (taskId ? focusTask() : move(1)),
    Escape: (event) => {
      const field = event.target instanceof HTMLElement && event.target.matches('input, textarea, select')
      if (field && taskId) return focusTask()
      if (isPhone) return open(undefined)
      focusList()
    },
  })

  // What ended elsewhere stays in the list while it is open in front of someone.
  const sweep = useCallback(() => inbox.change({ kind: 'sweep', keep: taskId }), [inbox.change, taskId])
  useEffect(() => {
    if (taskId) markSeen(taskId)
    sweep()
  }, [taskId, sweep])

  // The next two are read ahead, so that going on is instant.
  const ahead =
    place < 0
      ? ''
      : rows
          .slice(place + 1, place + 3)
          .map((row) => row.taskId)
          .join(' ')
  useEffect(() => {
    if (ahead === '') return
    for (const id of ahead.split(' ')) void queryClient.prefetchQuery(taskQuery(api, workspaceId, id))
  }, [ahead, api, queryClient, workspaceId])

  function showNew() {
    void inbox.reload().then(() => {
      document.getElementById('open-tasks')?.scrollTo({ top: 0 })
      focusList()
    })
  }

  const Heading = taskId ? 'h2' : 'h1'
  const isAllDone = inbox.isEmpty && !taskId

  // The list that had the focus is gone with its last row.
  const hadRows = useRef(false)
  if (rows.length > 0) hadRows.current = true
  useEffect(() => {
    if (isAllDone && hadRows.current) focusList()
  }, [isAllDone])

  const isListAlone = isAllDone || (isPhone && !taskId)
  return (
    <div className={taskId ? 'app at-task' : 'app'}>
      <a className="skip" href={taskId ? '#task' : '#inbox'}>
        {taskId ? 'Skip to the open task' : 'Skip to the open tasks'}
      </a>
      <Nav open={counts.open} />
      <div className={`inbox${taskId ? ' at-task' : ''}${isAllDone ? ' all-done' : ''}`}>
        <section
          className="list"
          id="inbox"
          tabIndex={-1}
          aria-label="Inbox"
          {...(isListAlone && { role: 'main' })}
        >
          <div className="bar">
            <Heading>Inbox</Heading>
            {loaded && <span className="chip num">{openCount} open</span>}
          </div>
          {inbox.live === 'reconnecting' && (
            <Strip tone="warn" icon={RotateCw}>
              Reconnecting. You can keep working, answers are kept.
            </Strip>
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
              inbox={inbox.state}
              openId={taskId}
              onOpen={openRow}
              onMore={inbox.loadMore}
              onFar={inbox.loadAgain}
              onShowNew={showNew}
              onQuiet={sweep}
            />
          ) : inbox.isEmpty ? (
            <EmptyInbox />
          ) : (
            !inbox.problem && <RowSkeletons />
          )}
        </section>
        {taskId ? (
          <TaskPane
            key={taskId}
            taskId={taskId}
            place={place < 0 ? undefined : `${place + 1} of ${openCount}`}
            onPrevious={place > 0 ? () => move(-1) : undefined}
            onNext={place >= 0 && place < rows.length - 1 ? () => move(1) : undefined}
            onBack={() => open(undefined)}
            onSend={answers.send}
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
        <AnswerToast
          onOpen={(id) => {
            open(id)
            focusList()
          }}
        />
      </div>
    </div>
  )
}

function focusList() {
  const list = document.getElementById('open-tasks') ?? document.getElementById('inbox')
  list?.focus({ preventScroll: true })
}

function focusTask() {
  document.getElementById('task-content')?.focus({ preventScroll: true })
}

function isInList(event: KeyboardEvent): boolean {
  return event.target === document.body || (event.target as HTMLElement).id === 'open-tasks'
}
