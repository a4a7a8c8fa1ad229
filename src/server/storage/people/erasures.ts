import { type RawBuilder, sql } from 'kysely'
import type { Database, Transaction } from '../engine/database.ts'
import type { EventCursor } from '../events/event-log.ts'
import { lockRollUps } from '../feedback/roll-ups.ts'

/** The person whose address is replaced by their id wherever it identifies them. */
export type Erasure = { workspaceId: string; userId: string; email: string }
/** `email` is null if the account has already been deleted and only the row of the erasure remains. */
export type DueErasure = Omit<Erasure, 'email'> & { email: string | null }

export async function requestErasure(tx: Transaction, userId: string): Promise<void> {
  await tx.db
    .insertInto('erasures')
    .values({ workspaceId: tx.workspaceId, userId })
    .onConflict((conflict) => conflict.doNothing())
    .execute()
}

export async function listErasures(database: Database): Promise<DueErasure[]> {
  return await database.allWorkspaces((db) =>
    db
      .selectFrom('erasures')
      .leftJoin('users', 'users.id', 'erasures.userId')
      .select(['erasures.workspaceId', 'erasures.userId', 'users.email'])
      .where('erasures.dueAt', '<=', sql<Date>`app_now()`)
      .orderBy('erasures.dueAt')
      .execute(),
  )
}

/**
 * Replaces the address in up to `limit` rows each of tasks, questions, notes, and answers to tasks
 * with a review. Returns how many rows changed.
 */
export async function eraseFromTasks(
  { db, workspaceId }: Transaction,
  { userId, email }: Erasure,
  limit: number,
): Promise<number> {
  const { rows } = await sql<{ id: string }>`
    UPDATE tasks SET handled_by = ${userId} WHERE workspace_id = ${workspaceId} AND id IN (
      SELECT id FROM tasks WHERE workspace_id = ${workspaceId} AND status = 'handled' AND handled_by = ${email} LIMIT ${limit})
    RETURNING id`.execute(db)
  // Messages in Slack name the person too. The job that rewrites outdated messages no longer looks
  // at final ones, so these are not final until it has rewritten them.
  await sql`
    UPDATE slack_messages SET is_final = false WHERE workspace_id = ${workspaceId} AND task_id = ANY (${rows.map(({ id }) => id)}::text[])`.execute(
    db,
  )
  const questions = await sql`
    UPDATE task_questions SET asked_by = ${userId} WHERE workspace_id = ${workspaceId} AND id IN (
      SELECT id FROM task_questions WHERE workspace_id = ${workspaceId} AND asked_by = ${email} LIMIT ${limit})
    RETURNING id`.execute(db)
  const notes = await sql`
    UPDATE task_notes SET written_by = CASE WHEN written_by = ${email} THEN ${userId} ELSE written_by END,
      text = ${withoutAddress(sql`text`, mentionPattern(email), `@${userId}`)} WHERE workspace_id = ${workspaceId} AND id IN (
      SELECT id FROM task_notes WHERE workspace_id = ${workspaceId} AND (written_by = ${email} OR text ~ ${mentionPattern(email)})
      LIMIT ${limit})
    RETURNING id`.execute(db)
  const answers = await sql`
    UPDATE task_answers SET answered_by = ${userId} WHERE ctid = ANY (ARRAY(
      SELECT ctid FROM task_answers WHERE workspace_id = ${workspaceId} AND answered_by = ${email} LIMIT ${limit}))
    RETURNING task_id`.execute(db)
  return rows.length + questions.rows.length + notes.rows.length + answers.rows.length
}

/**
 * Replaces the address in the results of analyses, which name reviewers who differ from the others.
 * Call after eraseFromTasks, so that no later run reads the address.
 */
export async function eraseFromAnalyses(
  { db, workspaceId }: Transaction,
  { userId, email }: Erasure,
): Promise<void> {
  const pattern = addressPattern(JSON.stringify(email).slice(1, -1))
  await sql`
    UPDATE analyses SET result = ${withoutAddress(sql`result::text`, pattern, userId)}::json
    WHERE workspace_id = ${workspaceId} AND result::text ~ ${pattern}`.execute(db)
}

/**
 * Replaces the address in the daily counts of answers. Call after eraseFromTasks, so that no later
 * roll-up adds the address again.
 */
export async function eraseFromRollUps(tx: Transaction, { userId, email }: Erasure): Promise<void> {
  const { db, workspaceId } = tx
  await lockRollUps(tx)
  const days = sql`day, app, type, version, decided_by, action_id, action_title, outcome`
  await sql`
    WITH theirs AS (
      DELETE FROM answer_days WHERE workspace_id = ${workspaceId} AND handled_by = ${email} RETURNING *
    )
    INSERT INTO answer_days AS existing (workspace_id, handled_by, ${days}, answers, began_at)
    SELECT workspace_id, ${userId}, ${days}, answers, began_at FROM theirs
    ON CONFLICT (workspace_id, handled_by, ${days})
    DO UPDATE SET answers = existing.answers + excluded.answers, began_at = least(existing.began_at, excluded.began_at)`.execute(
    db,
  )
  for (const [table, kind] of [
    ['answer_time_days', 'bucket'],
    ['answer_edit_days', 'level'],
  ] as const) {
    const key = sql`day, app, type, version, ${sql.ref(kind)}`
    await sql`
      WITH theirs AS (
        DELETE FROM ${sql.table(table)} WHERE workspace_id = ${workspaceId} AND handled_by = ${email} RETURNING *
      )
      INSERT INTO ${sql.table(table)} AS existing (workspace_id, handled_by, ${key}, answers)
      SELECT workspace_id, ${userId}, ${key}, answers FROM theirs
      ON CONFLICT (workspace_id, handled_by, ${key}) DO UPDATE SET answers = existing.answers + excluded.answers`.execute(
      db,
    )
  }
}

/** Deletes the person's invitations, drafts, views and snoozes. */
export async function deletePersonalRows(
  { db, workspaceId }: Transaction,
  { userId, email }: Erasure,
): Promise<void> {
  await sql`DELETE FROM invitations WHERE workspace_id = ${workspaceId} AND email = ${email}`.execute(db)
  for (const table of ['drafts', 'views', 'snoozes'])
    await sql`DELETE FROM ${sql.table(table)} WHERE workspace_id = ${workspaceId} AND user_id = ${userId}`.execute(
      db,
    )
}

/** Replaces address and name in one page of the event log. Returns the page's last position. */
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
          || CASE WHEN body ->> 'askedBy' = ${email} THEN jsonb_build_object('askedBy', ${userId}::text) ELSE '{}' END
          || CASE WHEN body ->> 'assignedTo' = ${email} THEN jsonb_build_object('assignedTo', ${userId}::text) ELSE '{}' END
          || CASE WHEN body ->> 'userId' = ${userId} THEN '{"name":"Former member"}'::jsonb ELSE '{}' END
          || CASE WHEN ${hasAnswerBy(email)} THEN jsonb_build_object('answers', (
            SELECT jsonb_agg(CASE WHEN a ->> 'by' = ${email} THEN a || jsonb_build_object('by', ${userId}::text) ELSE a END)
            FROM jsonb_array_elements(body::jsonb -> 'answers') a)) ELSE '{}' END)::json
      FROM page WHERE e.workspace_id = ${workspaceId} AND e.epoch = page.epoch AND e.xid = page.xid AND e.id = page.id
        AND (body ->> 'handledBy' = ${email} OR body ->> 'askedBy' = ${email} OR body ->> 'assignedTo' = ${email} OR body ->> 'userId' = ${userId}
          OR ${hasAnswerBy(email)})
    )
    SELECT * FROM page ORDER BY epoch DESC, xid DESC, id DESC LIMIT 1`.execute(db)
  return rows[0]
}

/** Whether one of the answers of a task with a review is by this address. */
function hasAnswerBy(email: string) {
  return sql`body::jsonb @> jsonb_build_object('answers', jsonb_build_array(jsonb_build_object('by', ${email}::text)))`
}

type DeliveryPosition = { createdAt: Date; id: string }

/**
 * Replaces the address in one page of deliveries and in the responses of their receivers. Returns
 * the page's last position.
 */
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
    UPDATE deliveries SET body = ${withIdForAddress(sql`body`, { userId, email })}
    WHERE workspace_id = ${workspaceId} AND id = ANY (${ids}::text[]) AND ${containsAddress(sql`body`, email)}`.execute(
    db,
  )
  // A receiver may repeat the body, and a mail server may name an unknown recipient.
  await sql`
    UPDATE delivery_attempts SET response_body = ${withoutAddress(sql`response_body`, addressPattern(email), userId)},
      error = ${withoutAddress(sql`error`, addressPattern(email), userId)}
    WHERE workspace_id = ${workspaceId} AND delivery_id = ANY (${ids}::text[])
      AND concat_ws(' ', response_body, error) ~ ${addressPattern(email)}`.execute(db)
  return rows.at(-1)
}

/** Replaces the address in the logs of the workspace's MCP sessions. */
export async function eraseFromSessions({ owner }: Database, erasure: Erasure): Promise<void> {
  await sql`
    UPDATE mcp_session_messages m SET message = ${withIdForAddress(sql`message`, erasure)} FROM mcp_sessions s
    WHERE s.id = m.session_id AND s.workspace_id = ${erasure.workspaceId}
      AND ${containsAddress(sql`m.message`, erasure.email)}`.execute(owner)
}

// Another address may end or begin with the one to erase: of ann@example.com, joann@example.com and
// ann@example.com.au. A JSON escape (\n) or an encoded character (%20) may stand right before the
// address; its letters and digits are not part of the address.
const startOfAddress = String.raw`(?:(?<=\\[bfnrt]|\\u[0-9a-f]{4}|%[0-9A-Fa-f]{2})|(?<![[:alnum:]][._%+-]*))`
const endOfAddress = String.raw`(?![[:alnum:]_-]|\.[[:alnum:]])`

function escapeForPattern(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|]/g, String.raw`\$&`)
}

/**
 * A regular expression of PostgreSQL that matches the address, but not a longer address that
 * contains it.
 */
function addressPattern(email: string): string {
  return `${startOfAddress}${plainOrDefanged(email)}${endOfAddress}`
}

function mentionPattern(email: string): string {
  return `(?:@|＠)${plainOrDefanged(email)}${endOfAddress}`
}

/**
 * Messages in chats have [＠] in addresses (notifications/messages.ts), and emails that version 0.1
 * stored have [@].
 */
function plainOrDefanged(email: string): string {
  return escapeForPattern(email).replace('@', String.raw`(?:@|\[(?:@|＠)\])`)
}

function withoutAddress(text: RawBuilder<unknown>, pattern: string, replacement: string) {
  return sql`regexp_replace(${text}, ${pattern}, ${replacement}, 'g')`
}

/** Bodies are text from JSON.stringify, so the fields can be replaced textually. */
const fieldsWithAddress = ['handledBy', 'askedBy', 'by']

function field(name: string, who: string): string {
  return `"${name}":${JSON.stringify(who)}`
}

function containsAddress(text: RawBuilder<unknown>, email: string) {
  const conditions = [
    ...fieldsWithAddress.map((name) => sql`position(${field(name, email)} in ${text}) > 0`),
    sql`${text} ~ ${mentionPattern(email)}`,
  ]
  return sql`(${sql.join(conditions, sql` OR `)})`
}

function withIdForAddress(text: RawBuilder<unknown>, { userId, email }: Pick<Erasure, 'userId' | 'email'>) {
  const withoutMentions = withoutAddress(text, mentionPattern(email), `@${userId}`)
  return fieldsWithAddress.reduce(
    (replaced, name) => sql`replace(${replaced}, ${field(name, email)}, ${field(name, userId)})`,
    withoutMentions,
  )
}

/** Deletes the account unless the person is a member or another erasure of them is pending. */
export async function deleteUnusedAccount(
  database: Database,
  { workspaceId, userId, email }: Erasure,
): Promise<void> {
  await database.allWorkspaces(async (db) => {
    // Locked first, because joining a workspace locks this row too.
    await db.selectFrom('users').select('id').where('id', '=', userId).forUpdate().execute()
    const deleted = await sql`
      DELETE FROM users WHERE id = ${userId} AND NOT EXISTS (SELECT FROM members WHERE user_id = ${userId})
        AND NOT EXISTS (SELECT FROM erasures WHERE user_id = ${userId} AND workspace_id <> ${workspaceId})
      RETURNING id`.execute(db)
    if (deleted.rows.length > 0)
      await sql`
        DELETE FROM verifications WHERE value IN (${userId}, ${email}) OR identifier = ${email}`.execute(db)
  })
}

/** Returns false if another process has already finished the erasure. */
export async function endErasure({ db, workspaceId }: Transaction, userId: string): Promise<boolean> {
  const ended = await db
    .deleteFrom('erasures')
    .where('workspaceId', '=', workspaceId)
    .where('userId', '=', userId)
    .returning('userId')
    .executeTakeFirst()
  return ended !== undefined
}
