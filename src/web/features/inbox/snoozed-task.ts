import type { InboxPage } from '../../../contract/inbox.ts'
import { type CountedInbox, countsWithout } from './inbox-counts.ts'

/** Removes the row. The task returns when the list is loaded again after `until`. */
export function afterSnooze<State extends CountedInbox & Pick<InboxPage, 'snoozed'>>(
  state: State,
  taskId: string,
  until: string,
): State {
  const { taskIds, until: earliest } = state.snoozed
  return {
    ...state,
    counts: countsWithout(state, taskId),
    rows: state.rows.filter((row) => row.taskId !== taskId),
    arrived: state.arrived.filter((row) => row.taskId !== taskId),
    snoozed: {
      taskIds: [...taskIds.filter((id) => id !== taskId), taskId],
      until: earliest !== null && earliest < until ? earliest : until,
    },
  }
}
