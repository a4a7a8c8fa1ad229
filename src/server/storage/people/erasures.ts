import { type RawBuilder, sql } from 'kysely'
import type { Database, Transaction } from '../engine/database.ts'
import type { EventCursor } from '../events/event-log.ts'
import { lockRollUps } from '../feedback/statistics.ts'

/** Whose address is to go, and where it stands as who did something: from then on the id stands there. */
export type Erasure = { workspaceId: string; userId: string; email: string }
/** Without an address: the account is gone, and only the end is missing. */
export type DueErasure = Omit<Erasure, 'email'> & { email: string | null }

export async function requestErasure(tx: Transaction, userId: string): Promise<void> {
  await tx.db
    .insertInto('erasures')
    .values({ workspaceId: tx.workspaceId, userId })
    .onConflict((conflict) => conflict.doNothing())
    .execute()
}

export async function listErasures(database: Database): Promise<DueErasure[]> {
  return await database.acrossWorkspaces((db) =>
    db
      .selectFrom('erasures')
      .leftJoin('users', 'users.id', 'erasures.userId')
      .select(['erasures.workspaceId', 'erasures.userId', 'users.email'])
      .where('erasures.dueAt', '<=', sql<Date>`app_now()`)
      .orderBy('erasures.dueAt')
      .execute(),
  )
}

/** So many answers of the person are known by id from now on. */
export async function eraseFromTasks(
  { db, workspaceId }: Transaction,
  { userId, email }: Erasure,
  limit: number,
): Promise<number> {
  const { rows } = await sql`
    UPDATE tasks SET handled_by = ${userId} WHERE workspace_id = ${workspaceId} AND id IN (
      SELECT id FROM tasks WHERE workspace_id = ${workspaceId} AND status = 'handled' AND handled_by = ${email} LIMIT ${limit})
    RETURNING id`.execute(db)
  return rows.length
}

/** Days that were counted; and what the person left behind that is nobody else's. After the tasks, so that no day is counted by the address again. */
export async function eraseFromRollUps(tx: Transaction, { userId, email }: Erasure): Promise<void> {
  const { db, workspaceId } = tx
  await lockRollUps(tx)
  const days = sql`day, app, type, version, decided_by, action_id, action_title, outcome`
  await sql`
    WITH theirs AS (
      DELETE FROM answer_days WHERE workspace_id = ${workspaceId} AND handled_by = ${email} RETURNING *
    )
    INSERT INTO answer_days AS known (workspace_id, handled_by, ${days}, answers, began_at)
    SELECT workspace_id, ${userId}, ${days}, answers, began_at FROM theirs
    ON CONFLICT (workspace_id, handled_by, ${days})
    DO UPDATE SET answers = known.answers + excluded.answers, began_at = least(known.began_at, excluded.began_at)`.execute(
    db,
  )
  const times = sql`day, app, type, version, bucket`
  await sql`
    WITH theirs AS (
      DELETE FROM answer_time_days WHERE workspace_id = ${workspaceId} AND handled_by = ${email} RETURNING *
    )
    INSERT INTO answer_time_days AS known (workspace_id, handled_by, ${times}, answers)
    SELECT workspace_id, ${userId}, ${times}, answers FROM theirs
    ON CONFLICT (workspace_id, handled_by, ${times}) DO UPDATE SET answers = known.answers + excluded.answers`.execute(
    db,
  )
  await sql`DELETE FROM invitations WHERE workspace_id = ${workspaceId} AND email = ${email}`.execute(db)
  await sql`DELETE FROM drafts WHERE workspace_id = ${workspaceId} AND user_id = ${userId}`.execute(db)
}

/** A page of the log. Gives where it ended. */
export async function eraseFromEvents(
  { db, workspaceId }: Transaction,
  { userId, email }: Erasure,
  after: EventCursor | undefined,
  limit: number,
): Promise<EventCursor | undefined> {
  const { epoch, xid, id } = after ?? { epoch: 0, xid: '0', id: '0' }
  const { rows } = await sql<EventCursor>`
    WITH page AS (
      SELECT epoch, xid, id FROM events
      WHERE workspace_id = ${workspaceId} AND (epoch, xid, id) > (${epoch}::integer, ${xid}::bigint, ${id}::bigint)
      ORDER BY epoch, xid, id LIMIT ${limit}
    ), changed AS (
      UPDATE events e SET body = (body::jsonb
          || CASE WHEN body ->> 'handledBy' = ${email} THEN jsonb_build_object('handledBy', ${userId}::text) ELSE '{}' END
          || CASE WHEN body ->> 'assignedTo' = ${email} THEN jsonb_build_object('assignedTo', ${userId}::text) ELSE '{}' END
          || CASE WHEN body ->> 'userId' = ${userId} THEN '{"name":"Former member"}'::jsonb ELSE '{}' END)::json
      FROM page WHERE e.workspace_id = ${workspaceId} AND e.epoch = page.epoch AND e.xid = page.xid AND e.id = page.id
        AND (body ->> 'handledBy' = ${email} OR body ->> 'assignedTo' = ${email} OR body ->> 'userId' = ${userId})
    )
    SELECT * FROM page ORDER BY epoch DESC, xid DESC, id DESC LIMIT 1`.execute(db)
  return rows[0]
}

type DeliveryPosition = { createdAt: Date; id: string }

/** A page of what left the house, and of what came back. Gives where it ended. */
export async function eraseFromDeliveries(
  { db, workspaceId }: Transaction,
  { userId, email }: Erasure,
  after: DeliveryPosition | undefined,
  limit: number,
): Promise<DeliveryPosition | undefined> {
  const { rows } = await sql<DeliveryPosition>`
    SELECT created_at, id FROM deliveries WHERE workspace_id = ${workspaceId}
      ${after ? sql`AND (created_at, id) > (${after.createdAt}, ${after.id})` : sql``}
    ORDER BY created_at, id LIMIT ${limit}`.execute(db)
  const ids = rows.map(({ id }) => id)
  await sql`
    UPDATE deliveries SET body = ${withId(sql`body`, { userId, email })}
    WHERE workspace_id = ${workspaceId} AND id = ANY (${ids}::text[]) AND position(${handledBy(email)} in body) > 0`.execute(
    db,
  )
  // A receiver may repeat what it was told, and a mail server names whom it does not know.
  await sql`
    UPDATE delivery_attempts SET answer = replace(answer, ${email}, ${userId}), error = replace(error, ${email}, ${userId})
    WHERE workspace_id = ${workspaceId} AND delivery_id = ANY (${ids}::text[])
      AND position(${email} in coalesce(answer, '') || coalesce(error, '')) > 0`.execute(db)
  return rows.at(-1)
}

/** Logs of the workspace's MCP sessions. */
export async function eraseFromSessions({ owner }: Database, erasure: Erasure): Promise<void> {
  await sql`
    UPDATE mcp_session_messages m SET message = ${withId(sql`message`, erasure)} FROM mcp_sessions s
    WHERE s.id = m.session_id AND s.workspace_id = ${erasure.workspaceId}
      AND position(${handledBy(erasure.email)} in m.message) > 0`.execute(owner)
}

/** Bodies are text, built once by JSON.stringify; nothing else in them is touched. */
function handledBy(who: string): string {
  return `"handledBy":${JSON.stringify(who)}`
}

function withId(text: RawBuilder<unknown>, { userId, email }: Pick<Erasure, 'userId' | 'email'>) {
  return sql`replace(${text}, ${handledBy(email)}, ${handledBy(userId)})`
}

/** The account goes, with its sessions, password and second factor, once no workspace has the person or is still at it. */
export async function deleteUnusedAccount(
  database: Database,
  { workspaceId, userId, email }: Erasure,
): Promise<void> {
  await database.acrossWorkspaces(async (db) => {
    // First: who becomes a member at this moment holds the row, and is seen afterwards.
    await db.selectFrom('users').select('id').where('id', '=', userId).forUpdate().execute()
    const deleted = await sql`
      DELETE FROM users WHERE id = ${userId} AND NOT EXISTS (SELECT FROM members WHERE user_id = ${userId})
        AND NOT EXISTS (SELECT FROM erasures WHERE user_id = ${userId} AND workspace_id <> ${workspaceId})
      RETURNING id`.execute(db)
    if (deleted.rows.length > 0)
      await sql`
        DELETE FROM verifications WHERE value = ${userId} OR position(${email} in identifier || ' ' || value) > 0`.execute(
        db,
      )
  })
}

/** False: another process was at it, too, and ended it. */
export async function endErasure({ db, workspaceId }: Transaction, userId: string): Promise<boolean> {
  const ended = await db
    .deleteFrom('erasures')
    .where('workspaceId', '=', workspaceId)
    .where('userId', '=', userId)
    .returning('userId')
    .executeTakeFirst()
  return ended !== undefined
}
