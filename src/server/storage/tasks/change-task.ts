import { sql } from 'kysely'
import type { Transaction } from '../engine/database.ts'
import type { StoredReview } from '../engine/task-tables.ts'
import { recordTaskEvents } from '../events/event-log.ts'
import type { TaskRow } from './tasks.ts'
import { updateThread } from './update-thread.ts'

/** The caller has locked the thread. */
export async function setPriority(tx: Transaction, task: TaskRow, priority: number): Promise<void> {
  await sql`
    UPDATE tasks SET priority = ${priority}, updated_at = app_now() WHERE workspace_id = ${tx.workspaceId} AND id = ${task.id}`.execute(
    tx.db,
  )
  await updateThread(tx, task.threadId, 0)
}

/** The caller has locked the thread. */
export async function setReview(tx: Transaction, taskId: string, review: StoredReview): Promise<void> {
  await tx.db
    .updateTable('tasks')
    .set({ review: JSON.stringify(review) })
    .where('workspaceId', '=', tx.workspaceId)
    .where('id', '=', taskId)
    .execute()
}

/** The caller has locked the thread and checked that the task is open. */
export async function setAssignee(tx: Transaction, taskId: string, assignedTo: string | null): Promise<void> {
  await tx.db
    .updateTable('tasks')
    .set({ assignedTo, updatedAt: sql<Date>`app_now()` })
    .where('workspaceId', '=', tx.workspaceId)
    .where('id', '=', taskId)
    .execute()
}

/**
 * Unassigns the open tasks of a member or group that is being removed. Assigning a task locks its
 * thread before the member or group, so locking threads here could deadlock. Without these locks,
 * an event may follow the end of its task in the log. This is harmless: pages show the current
 * assignee.
 */
export async function unassignAll(tx: Transaction, assignedTo: string): Promise<void> {
  const tasks = await tx.db
    .updateTable('tasks')
    .set({ assignedTo: null, updatedAt: sql<Date>`app_now()` })
    .where('workspaceId', '=', tx.workspaceId)
    .where('status', '=', 'open')
    .where('assignedTo', '=', assignedTo)
    .returning(['id', 'threadId'])
    .execute()
  const type = 'service/task_assigned'
  await recordTaskEvents(
    tx,
    tasks.map(({ id: taskId, threadId }) => ({ type, taskId, threadId, body: { notifiedIds: [] } })),
  )
}
