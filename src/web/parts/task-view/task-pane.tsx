import { useQuery } from '@tanstack/react-query'
import { Suspense, useEffect, useRef, useState } from 'react'
import type { HandrailProblem } from '../../../client/problem.ts'
import type { TaskRecord } from '../../../contract/task.ts'
import { AnswerGate } from '../../lib/answer-gate.ts'
import { asProblem } from '../../lib/problem.ts'
import type { Answer } from '../../lib/send-answer.ts'
import { useShortcuts } from '../../lib/shortcuts.ts'
import { useDropLostText } from '../../lib/use-drop-lost-text.ts'
import { useIsPhone } from '../../lib/use-is-phone.ts'
import { useWorkspace } from '../../lib/workspace.ts'
import { lazyPart, onDemandPart } from '../../ui/lazy-part.tsx'
import panesStyles from '../../ui/panes.module.css'
import { ProblemStrip } from '../../ui/strip.tsx'
import { useAnswerQueue } from '../answers/use-answer-queue.ts'
import type { SendOptions } from '../answers/use-send-answers.ts'
import { InlineFieldsContext } from '../form/inline-fields.ts'
import { TaskDisplayContext, useTaskDisplayState } from './comparisons/task-display.ts'
import { loadContextSections, TaskContent } from './content/task-content.tsx'
import { CopyLink } from './copy-link.tsx'
import { ActionDock } from './dock/action-dock.tsx'
import { useDrafts } from './drafts/use-drafts.ts'
import { InlineEditingStateContext, useInlineEditingState } from './inline-editing/use-inline-editing.ts'
import { LoadingTask } from './loading-task.tsx'
import { NotificationProblem } from './notification-problem.tsx'
import type { OnAsked } from './questions/use-question-composer.ts'
import taskStyles from './task.module.css'
import { TaskActions } from './task-actions.tsx'
import { TaskBar } from './task-bar.tsx'
import { taskQuery } from './task-query.ts'

// Not needed for most open tasks.
const TaskResult = onDemandPart(() => import('./result/task-result.tsx'))
const EndedStrip = lazyPart(() => import('./ended-strip.tsx'))
const SnoozeStrip = onDemandPart(() => import('./team/snooze-strip.tsx'))
const ReviewStrip = onDemandPart(() => import('./team/review-strip.tsx'))
const ReviewPanel = onDemandPart(() => import('./team/review-panel.tsx'))

type Props = {
  taskId: string
  position: string | undefined
  onPrevious: (() => void) | undefined
  onNext: (() => void) | undefined
  onBack: () => void
  onSend: (answers: Answer[], options: SendOptions) => Promise<HandrailProblem | undefined>
  onDraft: () => void
  onAsked: OnAsked
  /** Undefined: the page lists no open tasks. */
  onSnoozed?: ((task: TaskRecord, until: string) => void) | undefined
  onUnsnoozed?: (() => void) | undefined
  /** Tasks are selected in the list: answer shortcuts apply to them instead. */
  isSelecting?: boolean
}

/** The task on screen: its content, and the dock to answer it, or its result. */
export function TaskPane({
  taskId,
  onSend,
  onDraft,
  onAsked,
  onSnoozed,
  onUnsnoozed,
  isSelecting = false,
  ...bar
}: Props) {
  const { api, workspaceId } = useWorkspace()
  const query = useQuery(taskQuery(api, workspaceId, taskId))
  const task = query.data
  const isOpen = task?.status === 'open'
  const drafts = useDrafts(taskId, task, onDraft)
  const isPhone = useIsPhone()
  const display = useTaskDisplayState(task, drafts.list)
  const { task: displayedTask } = display
  const editing = useInlineEditingState(task, display.context)
  const main = useRef<HTMLElement>(null)
  const [gate] = useState(() => new AnswerGate())

  // People who saw the task open, or have a draft, are told that it ended elsewhere.
  const { sent } = useAnswerQueue()
  const wasSeenOpen = useRef(false)
  if (isOpen) wasSeenOpen.current = true
  const endedElsewhere = task !== undefined && !isOpen && !sent.has(taskId)
  const endedWhileShown = endedElsewhere && wasSeenOpen.current

  // In parallel with the task, whose content needs the script.
  useEffect(() => void loadContextSections().catch(() => undefined), [])

  useEffect(() => {
    if (isPhone) main.current?.focus()
  }, [isPhone])

  useDropLostText()
  useShortcuts({
    Space: (event) => scrollTask(event, 1),
    'Shift+Space': (event) => scrollTask(event, -1),
  })

  const problem = query.error && !task ? asProblem(query.error) : undefined
  return (
    <TaskDisplayContext value={display}>
      <main className={`${taskStyles.task} ${panesStyles.task}`} id="task" tabIndex={-1} ref={main}>
        <TaskBar task={task} {...bar}>
          <CopyLink taskId={taskId} task={task} />
          {task && <TaskActions task={task} isSelecting={isSelecting} onSnoozed={onSnoozed} />}
        </TaskBar>
        {endedElsewhere && (endedWhileShown || drafts.list.length > 0) && (
          <Suspense>
            <EndedStrip task={task} drafts={drafts.list} onNext={bar.onNext} />
          </Suspense>
        )}
        {isOpen && <NotificationProblem task={task} />}
        {isOpen && task.snoozedUntil && onUnsnoozed && (
          <Suspense>
            <SnoozeStrip task={task} until={task.snoozedUntil} onUnsnoozed={onUnsnoozed} />
          </Suspense>
        )}
        {isOpen && task.review && (
          <Suspense>
            <ReviewStrip review={task.review} revision={task.revision} />
          </Suspense>
        )}
        {problem && problem.status !== 401 && problem.status !== 404 && (
          <ProblemStrip
            message="The task couldn't be loaded."
            problem={problem}
            onRetry={() => void query.refetch()}
          />
        )}
        {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a box that scrolls must take focus */}
        <section className={taskStyles.scroll} id="task-content" tabIndex={0} aria-label="Task">
          {task ? (
            <TaskContent task={task} display={display} inlineEditing={editing.forContext} gate={gate} />
          ) : (
            !problem && <LoadingTask gate={gate} isSelecting={isSelecting} />
          )}
          {problem?.status === 404 && (
            <div className="empty" role="alert">
              <h2>Task not found</h2>
              <p>There is no such task in this workspace. Check the link.</p>
            </div>
          )}
        </section>
      </main>
      {displayedTask &&
        (isOpen && displayedTask.review?.you && displayedTask.review.you !== 'may_answer' ? (
          <Suspense>
            <ReviewPanel task={displayedTask} />
          </Suspense>
        ) : isOpen || endedWhileShown ? (
          <InlineEditingStateContext value={editing}>
            <InlineFieldsContext value={editing.forForm}>
              <ActionDock
                task={displayedTask}
                gate={gate}
                isEnded={!isOpen}
                drafts={drafts}
                onSend={onSend}
                onAsked={onAsked}
                isSelecting={isSelecting}
              />
            </InlineFieldsContext>
          </InlineEditingStateContext>
        ) : (
          <Suspense>
            <TaskResult task={displayedTask} />
          </Suspense>
        ))}
    </TaskDisplayContext>
  )
}

/** Works regardless of focus, so people can read without leaving the list. */
function scrollTask(event: KeyboardEvent, direction: 1 | -1) {
  event.preventDefault()
  const content = document.getElementById('task-content')
  content?.scrollBy({ top: direction * content.clientHeight * 0.85 })
}
