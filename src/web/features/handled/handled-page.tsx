import { useNavigate, useParams, useSearch } from '@tanstack/react-router'
import { useCallback, useMemo } from 'react'
import type { TaskRecord } from '../../../contract/task.ts'
import { useWorkspace } from '../../lib/person.ts'
import { useShortcuts } from '../../lib/shortcuts.ts'
import { useIsPhone } from '../../lib/use-media.ts'
import { useTitle } from '../../lib/use-title.ts'
import { AnswerFrame } from '../../parts/answers/answer-frame.tsx'
import { useAnswers } from '../../parts/answers/use-answers.ts'
import { Nav } from '../../parts/shell/nav.tsx'
import {
  type HistoryFilters,
  noHistoryFilters,
  onlyWhatGoesTogether,
} from '../../parts/task-list/handled-filters.ts'
import { RowSkeletons } from '../../parts/task-list/row-skeletons.tsx'
import { useOpenCount } from '../../parts/task-list/use-open-count.ts'
import { useOpenFound } from '../../parts/task-list/use-open-found.ts'
import { useStepThrough } from '../../parts/task-list/use-step-through.ts'
import { useSteps } from '../../parts/task-list/use-steps.ts'
import { TaskPane } from '../../parts/task-view/task-pane.tsx'
import { TaskPlaceholder } from '../../parts/task-view/task-placeholder.tsx'
import { KeyCap } from '../../ui/key-cap.tsx'
import { ProblemStrip } from '../../ui/strip.tsx'
import { HistoryBar } from './handled-bar.tsx'
import { HistoryList } from './handled-list.tsx'
import { endOf } from './handled-row.tsx'
import { useHistory } from './use-handled.ts'

/** What has been answered, cancelled or has expired, with its answer. */
export function HandledPage() {
  const { taskId: addressId } = useParams({ strict: false })
  const search = useSearch({ from: '/w/$workspaceId/handled' })
  const address = JSON.stringify(search)
  const filters: HistoryFilters = useMemo(() => JSON.parse(address), [address])
  const { workspaceId } = useWorkspace()
  const navigate = useNavigate()
  const isPhone = useIsPhone()
  const history = useHistory(filters)
  const { tasks } = history
  useTitle('Handled')

  const open = useCallback(
    (id: string | undefined, replace = false) =>
      void (id
        ? navigate({
            to: '/w/$workspaceId/handled/$taskId',
            params: { workspaceId, taskId: id },
            search: true,
            replace,
          })
        : navigate({ to: '/w/$workspaceId/handled', params: { workspaceId }, search: true, replace })),
    [navigate, workspaceId],
  )
  const { taskId, isStepping, stepTo } = useStepThrough(addressId, open)
  const openRow = useCallback((id: string) => open(id), [open])
  const { isCurrent } = history
  const openFound = useOpenFound({ q: filters.q, isCurrent, rows: tasks, openId: taskId, onOpen: openRow })
  const filter = (changed: HistoryFilters, replace = false) =>
    void navigate({ to: '.', search: onlyWhatGoesTogether(changed), replace })

  const { focusList, isInList, onPrevious, onNext } = useSteps({
    rows: tasks,
    taskId,
    listId: 'handled-tasks',
    frameId: 'handled',
    onOpen: open,
    onStep: stepTo,
  })
  useShortcuts({
    Escape: (event) => {
      if (isPhone && taskId) return open(undefined)
      if (filters.q !== undefined && isInList(event)) filter({ ...filters, q: undefined })
      focusList()
    },
  })

  // Somebody came here by the link of a task that is still open.
  const { send } = useAnswers(() => undefined)

  // A search and what was not answered go by creation: of those the service keeps no order by their end.
  const isByEnd = filters.status === undefined && filters.q === undefined
  const bar = { position: undefined, onPrevious, onNext, onBack: () => open(undefined) }
  const isListAlone = isPhone && !taskId
  return (
    <div className={taskId ? 'app at-task' : 'app'}>
      <a className="skip" href={taskId ? '#task' : '#handled'}>
        {taskId ? 'Skip to the open task' : 'Skip to the handled tasks'}
      </a>
      <Nav open={useOpenCount()} />
      <AnswerFrame
        className={taskId ? 'inbox at-task' : 'inbox'}
        onOpen={({ workspaceId: of, taskId: id }) =>
          void navigate({ to: '/w/$workspaceId/handled/$taskId', params: { workspaceId: of, taskId: id } })
        }
        onReturn={focusList}
      >
        <section
          className="list"
          id="handled"
          tabIndex={-1}
          aria-label="Handled"
          {...(isListAlone && { role: 'main' })}
        >
          <HistoryBar
            isTaskOpen={taskId !== undefined}
            filters={filters}
            tasks={tasks}
            onFilter={filter}
            onEnterSearch={openFound}
            onLeaveSearch={() => requestAnimationFrame(focusList)}
          />
          {history.problem && history.problem.status !== 401 && (
            <ProblemStrip what="The list did not load." problem={history.problem} onRetry={history.reload} />
          )}
          {tasks.length > 0 ? (
            <HistoryList
              tasks={tasks}
              label={isByEnd ? 'Handled tasks, newest answer first' : 'Ended tasks, newest first'}
              momentOf={isByEnd ? endOf : createdAt}
              openId={taskId}
              hasMore={history.hasMore}
              onOpen={openRow}
              onMore={history.loadMore}
            />
          ) : history.isLoading ? (
            <RowSkeletons />
          ) : (
            !history.problem && (
              <NothingHere
                isAll={address === JSON.stringify(noHistoryFilters)}
                onClear={() => filter(noHistoryFilters)}
              />
            )
          )}
        </section>
        {taskId && isStepping ? (
          <TaskPlaceholder {...bar} />
        ) : taskId ? (
          <TaskPane key={taskId} taskId={taskId} {...bar} onSend={send} onDraft={() => undefined} />
        ) : isListAlone ? null : (
          <main className="none empty">
            {tasks.length > 0 && (
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

function createdAt(task: TaskRecord): string {
  return task.createdAt
}

function NothingHere({ isAll, onClear }: { isAll: boolean; onClear: () => void }) {
  return (
    <div className="empty grow">
      <h2>{isAll ? 'Nothing handled yet' : 'No task fits'}</h2>
      {isAll ? (
        <p>Answers stand here, with who gave them and when.</p>
      ) : (
        <button type="button" className="btn mt-3" onClick={onClear}>
          Show all handled tasks
        </button>
      )}
    </div>
  )
}
