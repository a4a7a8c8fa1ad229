import { Suspense, useState } from 'react'
import type { MemberTaskRecord } from '../../../../contract/task.ts'
import type { AnswerGate } from '../../../lib/answer-gate.ts'
import { NotLoaded, onDemandPart } from '../../../ui/lazy-part.tsx'
import { Skeleton } from '../../../ui/skeleton.tsx'
import { ComparisonsContext } from '../../../widgets/comparisons.ts'
import { type InlineEditing, InlineEditingContext } from '../../../widgets/inline-editing.tsx'
import type { TaskDisplay } from '../comparisons/task-display.ts'
import { hasConversation } from '../conversation/conversation-entries.ts'
import { useConversationParts } from '../conversation/use-conversation-parts.ts'
import type { PartChange } from '../revisions/revision-changes.ts'
import taskStyles from '../task.module.css'
import { ContentShownSignal } from './content-shown-signal.tsx'
import { EndOfContext } from './end-of-context.tsx'
import { LatestUpdate } from './latest-update.tsx'
import { TaskHead } from './task-head.tsx'

/** Loads the script of the context widgets. */
export const loadContextSections = () => import('./context-sections.tsx')
const ContextSections = onDemandPart(loadContextSections)
const DeletedContent = onDemandPart(() => import('./deleted-content.tsx'))

type Props = {
  task: MemberTaskRecord
  display: TaskDisplay
  inlineEditing: InlineEditing
  gate: AnswerGate
}

/** What there is to read before answering: the head of the task, its context and its conversation. */
export function TaskContent({ task, display, inlineEditing, gate }: Props) {
  const { task: displayedTask = task, context, comparison } = display
  const { parts, isReady, hasFailed } = useConversationParts(task)
  const [unread, setUnread] = useState<PartChange[]>()
  return (
    <div className={taskStyles.withGuideLine}>
      <div id="task-text">
        <TaskHead task={displayedTask} />
        {/* The conversation contains the updates of the task, but not those of earlier tasks in its thread. */}
        {!(hasConversation(task) && task.threadId === task.taskId) && <LatestUpdate task={displayedTask} />}
        {task.contentDeletedAt ? (
          <Suspense>
            <DeletedContent at={task.contentDeletedAt} />
          </Suspense>
        ) : (
          <Suspense fallback={<Skeleton className="above-24" height="3rem" />}>
            {parts && <parts.ReplyStrip task={task} onUnread={setUnread} />}
            <ComparisonsContext value={comparison}>
              <InlineEditingContext value={inlineEditing}>
                <ContextSections context={context} changes={unread}>
                  {parts && <parts.Conversation task={task} />}
                  {hasFailed && <NotLoaded />}
                  <EndOfContext />
                  {isReady && <ContentShownSignal task={task} gate={gate} />}
                </ContextSections>
              </InlineEditingContext>
            </ComparisonsContext>
          </Suspense>
        )}
      </div>
    </div>
  )
}
