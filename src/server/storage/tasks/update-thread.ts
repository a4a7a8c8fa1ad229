import { sql } from 'kysely'
import type { Transaction } from '../engine/database.ts'
import { threadPosition, waitingRank } from '../engine/thread-position.ts'

/**
 * Updates rank and age of a thread. Call after one of its tasks has started (1) or stopped (-1)
 * waiting for the agent, or after the priority of one has changed (0).
 */
export async function updateThread(
  tx: Transaction,
  threadId: string,
  waitingChange: 1 | -1 | 0,
): Promise<void> {
  const position = sql.raw(threadPosition('threads.workspace_id', 'threads.id'))
  await sql`
    UPDATE threads SET waiting_count = waiting_count + ${waitingChange},
      (rank, oldest_open_at) = (
        SELECT coalesce(rank, ${waitingRank}), coalesce(oldest, 'infinity') FROM (${position}) position)
    WHERE workspace_id = ${tx.workspaceId} AND id = ${threadId}`.execute(tx.db)
}
