import type {
  TaskCancelledEvent,
  TaskExpiredEvent,
  TaskHandledEvent,
  TaskQuestionEvent,
} from '../../../contract/event.ts'
import type { Claim, InboxEvent, InboxRow } from '../../../contract/inbox.ts'

/** What the inbox shows of a new task. Its creation time is the time of the event. */
export type CreatedBody = Pick<
  InboxRow,
  'name' | 'snippet' | 'app' | 'type' | 'priority' | 'delivery' | 'assignedTo' | 'review'
> & { expiresInSeconds?: number; answerWithinMinutes?: number }

type UpdatedBody = NonNullable<InboxEvent['update']>

/**
 * `notifiedIds`: the people whom the event concerns, perhaps also its author. `userId` and `name`:
 * the author, left out if the service or the removal of the assignee caused the event.
 */
type NotifiedBody = { notifiedIds: string[]; userId?: string; name?: string }

type Nothing = Record<string, never>

/**
 * The body of each type of event, as callers write it. The statement that ends a task adds the time
 * to the last three.
 */
export type EventBodies = {
  'service/task_created': CreatedBody
  'service/task_updated': UpdatedBody
  'service/task_question': TaskQuestionEvent
  'service/task_returned': Nothing
  'service/task_claimed': Claim
  'service/task_released': Nothing
  'service/task_answered': { given: number; needed: number }
  'service/task_assigned': NotifiedBody
  'service/task_noted': NotifiedBody
  'service/task_reminded': NotifiedBody
  'service/task_escalated': NotifiedBody
  'service/task_handled': Omit<TaskHandledEvent, 'handledAt'>
  'service/task_cancelled': Omit<TaskCancelledEvent, 'cancelledAt'>
  'service/task_expired': Omit<TaskExpiredEvent, 'expiredAt'>
}

/**
 * The body of each type of event, as readers of the log get it: only the fields that they need.
 * Fields that are optional only here may have been cleared with the content of the task.
 */
export type ReadBodies = {
  /** If a rule answered the task, only the id of the rule. */
  'service/task_created': CreatedBody | { ruleId: string }
  'service/task_updated': UpdatedBody
  'service/task_question': { text: string; askedBy: string }
  'service/task_returned': Nothing
  'service/task_claimed': Claim
  'service/task_released': Nothing
  'service/task_answered': { given?: number; needed?: number }
  'service/task_assigned': Partial<NotifiedBody>
  'service/task_noted': Partial<NotifiedBody>
  'service/task_reminded': Partial<NotifiedBody>
  'service/task_escalated': Partial<NotifiedBody>
  'service/task_handled': { handledBy: string; ruleId: string | null; action: { title: string } }
  'service/task_cancelled': { reason?: string }
  'service/task_expired': Nothing
}
