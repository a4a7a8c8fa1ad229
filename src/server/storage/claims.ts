import { sql } from 'kysely'
import type { Transaction } from './database.ts'

export type ClaimRow = { userId: string; name: string; until: Date }

/** Takes or renews a claim on an open task; a living claim of someone else stays. `fresh`: nobody had it a moment ago. */
export async function takeClaim(tx: Transaction, taskId: string, userId: string, seconds: number) {
  const before = await findClaim(tx, taskId)
  if (before && before.userId !== userId) return { claim: before, fresh: false }
  await sql`
    INSERT INTO claims (task_id, workspace_id, user_id, until)
    SELECT id, workspace_id, ${userId}, app_now() + make_interval(secs => ${seconds}) FROM tasks
    WHERE workspace_id = ${tx.workspaceId} AND id = ${taskId} AND status = 'open'
    ON CONFLICT (task_id) DO UPDATE SET user_id = excluded.user_id, until = excluded.until
      WHERE claims.user_id = excluded.user_id OR claims.until <= app_now()`.execute(tx.db)
  const after = await findClaim(tx, taskId)
  return { claim: after, fresh: before === undefined && after?.userId === userId }
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

function findClaim(tx: Transaction, taskId: string): Promise<ClaimRow | undefined> {
  return tx.db
    .selectFrom('claims')
    .innerJoin('users', 'users.id', 'claims.userId')
    .select(['claims.userId', 'users.name', 'claims.until'])
    .where('claims.workspaceId', '=', tx.workspaceId)
    .where('claims.taskId', '=', taskId)
    .where('claims.until', '>', sql<Date>`app_now()`)
    .executeTakeFirst()
}
