import type { InboxEvent } from '../../contract/inbox.ts'

type EventKind = Pick<InboxEvent, 'type' | 'update'>

export function createsTask({ type }: EventKind): boolean {
  return type === 'service/task_created'
}

/** The task was handled, cancelled or expired. */
export function endsTask({ type }: EventKind): boolean {
  return (
    type === 'service/task_handled' || type === 'service/task_cancelled' || type === 'service/task_expired'
  )
}

/** The agent replied to a question. */
export function repliesToQuestion({ update }: EventKind): boolean {
  return update?.answers !== undefined
}

/**
 * Changes whether an existing task waits for a person, for the agent (`waitingFor`) or for nobody: a
 * question, a reply, a return without a reply, or the end of the task.
 */
export function changesWaitingFor(event: EventKind): boolean {
  const { type } = event
  return (
    type === 'service/task_question' ||
    type === 'service/task_returned' ||
    repliesToQuestion(event) ||
    endsTask(event)
  )
}

/** The task was assigned, unassigned or escalated. */
export function assignsTask({ type }: EventKind): boolean {
  return type === 'service/task_assigned' || type === 'service/task_escalated'
}

export function changesClaim({ type }: EventKind): boolean {
  return type === 'service/task_claimed' || type === 'service/task_released'
}
