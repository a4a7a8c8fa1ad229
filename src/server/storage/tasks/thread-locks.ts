import { type RawBuilder, sql } from 'kysely'
import type { Transaction } from '../engine/database.ts'
import { runPrepared } from '../engine/prepared-query.ts'

/**
 * Call before writing an event of an open task, so that the event precedes the task's end in the
 * log: waits for a running end_tasks of the thread and blocks the next one, but no insert of a
 * task. Only unassignAll, releaseTask and addNote lock no thread: their events are harmless after
 * the end.
 */
export function lockThreadShared(tx: Transaction, taskId: string): Promise<unknown> {
  return lockThreadFor(tx, taskId, sql`KEY SHARE`)
}

/**
 * Call before changing or ending an open task in more than one statement: one change at a time per
 * thread. Threads are locked before their tasks everywhere, to avoid deadlocks.
 */
export function lockThread(tx: Transaction, taskId: string): Promise<unknown> {
  return lockThreadFor(tx, taskId, sql`UPDATE`)
}

function lockThreadFor(tx: Transaction, taskId: string, strength: RawBuilder<unknown>): Promise<unknown> {
  const query = sql`
    SELECT FROM threads WHERE workspace_id = ${tx.workspaceId} AND id = (
      SELECT thread_id FROM tasks WHERE workspace_id = ${tx.workspaceId} AND id = ${taskId})
    FOR ${strength}`
  return runPrepared(tx, query)
}

/** Locks the thread. Returns false if it is already locked or no longer exists. */
export async function lockThreadIfFree(tx: Transaction, threadId: string): Promise<boolean> {
  const locked = await tx.db
    .selectFrom('threads')
    .select('id')
    .where('workspaceId', '=', tx.workspaceId)
    .where('id', '=', threadId)
    .forUpdate()
    .skipLocked()
    .executeTakeFirst()
  return locked !== undefined
}
