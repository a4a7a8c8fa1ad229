import { useCallback } from 'react'
import type { TaskRecord } from '../../../contract/task.ts'
import { useShortcuts } from '../../lib/shortcuts.ts'
import { useIsPhone } from '../../lib/use-is-phone.ts'
import { useOpenCount } from '../../lib/use-open-count.ts'
import { useTitle } from '../../lib/use-title.ts'
import { AnswerFrame } from '../../parts/answers/answer-frame.tsx'
import { useSendAnswers } from '../../parts/answers/use-send-answers.ts'
import { Nav } from '../../parts/shell/nav.tsx'
import { noHandledFilters } from '../../parts/task-list/handled-filters.ts'
import { RowSkeletons } from '../../parts/task-list/row-skeletons.tsx'
import { leaveField, useListNavigation } from '../../parts/task-list/use-list-navigation.ts'
import { useOpenFirstResult } from '../../parts/task-list/use-open-first-result.ts'
import { useStepThrough } from '../../parts/task-list/use-step-through.ts'
import { TaskPane } from '../../parts/task-view/task-pane.tsx'
import { TaskPlaceholder } from '../../parts/task-view/task-placeholder.tsx'
import { KeyCap } from '../../ui/key-cap.tsx'
import panesStyles from '../../ui/panes.module.css'
import { ProblemStrip } from '../../ui/strip.tsx'
import { HandledBar } from './handled-bar.tsx'
import { HandledList } from './handled-list.tsx'
import { endedAt } from './handled-row.tsx'
import { useHandledTasks } from './use-handled-tasks.ts'
import { useHandledUrl } from './use-handled-url.ts'

/** Handled tasks or, with a filter on the status, cancelled or expired ones. */
export function HandledPage() {
  const { taskId: urlTaskId, filters, isUnfiltered, open, openInOwnWorkspace, setFilters } = useHandledUrl()
  const isPhone = useIsPhone()
  const openCount = useOpenCount()
  const list = useHandledTasks(filters)
  const { tasks, isCurrent } = list
  useTitle('Handled')

  const { taskId, isStepping, stepTo } = useStepThrough(urlTaskId, open)
  const openRow = useCallback((id: string) => open(id), [open])
  const openFirstResult = useOpenFirstResult({
    q: filters.q,
    isCurrent,
    rows: tasks,
    displayedId: taskId,
    onOpen: openRow,
  })
  const { focusList, isInList, onPrevious, onNext } = useListNavigation({
    rows: tasks,
    taskId,
    listId: 'handled-tasks',
    frameId: 'handled',
    onOpen: open,
    onStep: stepTo,
  })
  useShortcuts({
    Escape: (event) => {
      if (taskId && leaveField(event)) return undefined
      if (isPhone && taskId) return open(undefined)
      if (filters.q !== undefined && isInList(event)) setFilters({ ...filters, q: undefined })
      focusList()
    },
  })

  // A link to this page may name a task that is still open. It can be answered here, and no other task
  // is opened afterwards.
  const { send } = useSendAnswers()

  const isSortedByAnswer = list.sortedBy === 'handledAt'
  const taskBarProps = { position: undefined, onPrevious, onNext, onBack: () => open(undefined) }
  const isListAlone = isPhone && !taskId
  return (
    <div className={taskId ? 'app at-task' : 'app'}>
      <a className="skip" href={taskId ? '#task' : '#handled'}>
        {taskId ? 'Skip to task' : 'Skip to task list'}
      </a>
      <Nav openCount={openCount} />
      <AnswerFrame className={taskId && 'at-task'} onOpen={openInOwnWorkspace} onBulkUndone={focusList}>
        <section
          className={panesStyles.list}
          id="handled"
          tabIndex={-1}
          aria-label="Handled"
          {...(isListAlone && { role: 'main' })}
        >
          <HandledBar
            isSubheading={taskId !== undefined}
            filters={filters}
            tasks={tasks}
            onFilter={setFilters}
            onSubmitSearch={openFirstResult}
            onLeaveSearch={() => requestAnimationFrame(focusList)}
          />
          {list.problem && list.problem.status !== 401 && (
            <ProblemStrip
              message="The list couldn't be loaded."
              problem={list.problem}
              onRetry={list.reload}
            />
          )}
          {tasks.length > 0 ? (
            <HandledList
              tasks={tasks}
              label={isSortedByAnswer ? 'Handled tasks, newest answer first' : 'Ended tasks, newest first'}
              timestampOf={isSortedByAnswer ? endedAt : createdAt}
              displayedId={taskId}
              hasMore={list.hasMore}
              onOpen={openRow}
              onMore={list.loadMore}
            />
          ) : list.isLoading ? (
            <RowSkeletons />
          ) : (
            !list.problem && (
              <NoHandledTasks isUnfiltered={isUnfiltered} onClear={() => setFilters(noHandledFilters)} />
            )
          )}
        </section>
        {taskId && isStepping ? (
          <TaskPlaceholder {...taskBarProps} />
        ) : taskId ? (
          <TaskPane
            key={taskId}
            taskId={taskId}
            {...taskBarProps}
            onSend={send}
            // The list shows ended tasks only, so neither a question nor a draft changes it.
            onAsked={() => undefined}
            onDraft={() => undefined}
          />
        ) : isListAlone ? null : (
          <main className={`empty ${panesStyles.none}`}>
            {tasks.length > 0 && (
              <p>
                Open a task from the list <KeyCap>J</KeyCap>
              </p>
            )}
          </main>
        )}
      </AnswerFrame>
    </div>
  )
}

function createdAt(task: TaskRecord): string {
  return task.createdAt
}

function NoHandledTasks({ isUnfiltered, onClear }: { isUnfiltered: boolean; onClear: () => void }) {
  return (
    <div className="empty grow">
      <h2>{isUnfiltered ? 'No handled tasks yet' : 'No matching tasks'}</h2>
      {isUnfiltered ? (
        <p>Handled tasks appear here. To see cancelled or expired tasks, filter by status.</p>
      ) : (
        <button type="button" className="btn above-12" onClick={onClear}>
          Show all handled tasks
        </button>
      )}
    </div>
  )
}
