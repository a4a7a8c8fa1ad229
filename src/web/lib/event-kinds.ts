import type { InboxEvent } from '../../contract/inbox.ts'

type Kind = Pick<InboxEvent, 'type' | 'update'>

export function createsTask({ type }: Kind): boolean {
  return type === 'service/task_created'
}

/** The task was handled, cancelled or expired. */
export function endsTask({ type }: Kind): boolean {
  return (
    type === 'service/task_handled' || type === 'service/task_cancelled' || type === 'service/task_expired'
  )
}

/** The agent replied to a question. */
export function repliesToQuestion({ update }: Kind): boolean {
  return update?.answers !== undefined
}

/**
 * Changes whether an existing task waits for a person: a question, a reply, a return, or the end of
 * the task.
 */
export function movesTask(event: Kind): boolean {
  const { type } = event
  return (
    type === 'service/task_question' ||
    type === 'service/task_returned' ||
    repliesToQuestion(event) ||
    endsTask(event)
  )
}

/** The task was assigned, unassigned or escalated. */
export function assignsTask({ type }: Kind): boolean {
  return type === 'service/task_assigned' || type === 'service/task_escalated'
}

export function changesClaim({ type }: Kind): boolean {
  return type === 'service/task_claimed' || type === 'service/task_released'
}
