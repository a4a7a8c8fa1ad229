import { sql } from 'kysely'
import type { Transaction } from '../engine/database.ts'
import { isOpen } from '../tasks/tasks.ts'
import { lockThreadShared } from '../tasks/thread-locks.ts'

export type ClaimRow = { userId: string; name: string; until: Date }

/**
 * Takes or renews a claim on an open task, unless someone else has a valid one. A claim is renewed
 * only after a quarter of its time, because each renewal is announced. `changed`: whether it was
 * taken or renewed. `claim`: the one now in force.
 */
export async function takeClaim(tx: Transaction, taskId: string, userId: string, seconds: number) {
  await lockThreadShared(tx, taskId)
  const taken = await sql`
    INSERT INTO claims (task_id, workspace_id, user_id, until)
    SELECT id, workspace_id, ${userId}, app_now() + make_interval(secs => ${seconds}) FROM tasks
    WHERE workspace_id = ${tx.workspaceId} AND id = ${taskId} AND ${isOpen}
    ON CONFLICT (task_id) DO UPDATE SET user_id = excluded.user_id, until = excluded.until
      WHERE claims.until <= app_now() OR (claims.user_id = excluded.user_id
        AND claims.until < excluded.until - make_interval(secs => ${seconds / 4}))
    RETURNING task_id`.execute(tx.db)
  return { claim: await findClaim(tx, taskId), changed: taken.rows.length > 0 }
}

export async function dropClaim(tx: Transaction, taskId: string, userId: string): Promise<boolean> {
  const dropped = await tx.db
    .deleteFrom('claims')
    .where('workspaceId', '=', tx.workspaceId)
    .where('taskId', '=', taskId)
    .where('userId', '=', userId)
    .returning('taskId')
    .executeTakeFirst()
  return dropped !== undefined
}

/** The caller has taken the claim, or has found a valid one of someone else and so locked its row. */
function findClaim(tx: Transaction, taskId: string): Promise<ClaimRow | undefined> {
  return tx.db
    .selectFrom('claims')
    .innerJoin('users', 'users.id', 'claims.userId')
    .select(['claims.userId', 'users.name', 'claims.until'])
    .where('claims.workspaceId', '=', tx.workspaceId)
    .where('claims.taskId', '=', taskId)
    .executeTakeFirst()
}
