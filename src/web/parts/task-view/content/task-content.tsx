import { Suspense, useState } from 'react'
import type { MemberTaskRecord } from '../../../../contract/task.ts'
import type { AnswerGate } from '../../../lib/answer-gate.ts'
import { NotLoaded, onDemandPart } from '../../../ui/lazy-part.tsx'
import { Skeleton } from '../../../ui/skeleton.tsx'
import { ComparisonsContext } from '../../../widgets/comparisons.ts'
import { type InlineEditing, InlineEditingContext } from '../../../widgets/inline-editing.tsx'
import type { PresentedTask } from '../comparisons/presented-task.ts'
import { hasConversation } from '../conversation/conversation-entries.ts'
import { useConversationParts } from '../conversation/use-conversation-parts.ts'
import type { PartChange } from '../revisions/revision-changes.ts'
import taskStyles from '../task.module.css'
import { ContentShownSignal } from './content-shown-signal.tsx'
import { EndOfContext } from './end-of-context.tsx'
import { StatusBar } from './status-bar.tsx'
import { TaskHead } from './task-head.tsx'

/** The context widgets, loaded in parallel with the task. */
export const loadContext = () => import('./context-sections.tsx')
const ContextSections = onDemandPart(loadContext)
const DeletedNote = onDemandPart(() => import('./deleted-note.tsx'))

type Props = {
  task: MemberTaskRecord
  presented: PresentedTask
  inlineEditing: InlineEditing
  gate: AnswerGate
}

/** What there is to read before answering: the head of the task, its context and its conversation. */
export function TaskContent({ task, presented, inlineEditing, gate }: Props) {
  const { shown = task, context, comparison } = presented
  const { parts, isReady, hasFailed } = useConversationParts(task)
  const [unread, setUnread] = useState<PartChange[]>()
  return (
    <div className={taskStyles.withGuideLine}>
      <div id="task-text">
        <TaskHead task={shown} />
        {/* The conversation contains the updates of the task, but not those of earlier tasks in its thread. */}
        {!(hasConversation(task) && task.threadId === task.taskId) && <StatusBar task={shown} />}
        {shown.contentDeletedAt ? (
          <Suspense>
            <DeletedNote at={shown.contentDeletedAt} />
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
