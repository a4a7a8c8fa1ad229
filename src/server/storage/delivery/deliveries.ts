import { type Kysely, type SqlBool, sql } from 'kysely'
import { newId } from '../../lib/ids.ts'
import type { Attempt } from '../../lib/outbound-http.ts'
import type { Database, Transaction } from '../engine/database.ts'
import type { Schema } from '../engine/schema.ts'
import type { PagePosition } from '../tasks/tasks.ts'

export type NewDelivery = {
  eventId: string
  eventType: string
  taskId: string | undefined
  kind: Exclude<DeliveryKind, 'notice'>
  url: string | undefined
  /** The id of the person that the message is for. */
  recipient?: string
  /** The channel or user that a Slack message is for. */
  target?: string
  body: string
}

/** The wake-up topic of the workers that deliver. */
export const deliveriesDue = 'deliveries-due'

const maxRowsPerStatement = 1_000

export async function insertDelivery(tx: Transaction, delivery: NewDelivery): Promise<string> {
  const [id] = await insertDeliveries(tx, [delivery])
  return id!
}

/** Returns the ids of the deliveries, in their order. */
export async function insertDeliveries(tx: Transaction, deliveries: NewDelivery[]): Promise<string[]> {
  if (deliveries.length === 0) return []
  const rows = deliveries.map((delivery) => ({
    id: newId('delivery'),
    workspaceId: tx.workspaceId,
    eventId: delivery.eventId,
    eventType: delivery.eventType,
    taskId: delivery.taskId ?? null,
    kind: delivery.kind,
    url: delivery.url ?? null,
    recipient: delivery.recipient ?? null,
    target: delivery.target ?? null,
    body: delivery.body,
    leasedUntil: null,
    leasedBy: null,
    endedAt: null,
  }))
  // PostgreSQL allows 65,535 parameters per statement.
  for (let start = 0; start < rows.length; start += maxRowsPerStatement)
    await tx.db
      .insertInto('deliveries')
      .values(rows.slice(start, start + maxRowsPerStatement))
      .execute()
  tx.wakeUp(deliveriesDue)
  return rows.map(({ id }) => id)
}

export type DeliveryKind = Schema['deliveries']['kind']

export type DueDelivery = {
  id: string
  workspaceId: string
  eventId: string
  kind: DeliveryKind
  url: string | null
  recipient: string | null
  target: string | null
  taskId: string | null
  body: string
  /** Attempts since the current round started: a redelivery starts a new one. */
  roundCount: number
  /** Time since the current round started. */
  ageSeconds: number
  /** The workspace's current webhook secrets, newest first. */
  sealedSecrets: string[]
}

/**
 * Claims due rows of all workspaces, at most `maxPerWorkspace` leased per workspace across all
 * nodes, so that dead receivers of one workspace do not delay other workspaces. Workspaces are
 * enumerated by a loose index scan.
 */
export async function claimDeliveries(
  database: Database,
  options: {
    worker: string
    limit: number
    maxPerWorkspace: number
    leaseSeconds: number
    /** The kinds that the process can send. */
    kinds: string[]
    /** Rows of other kinds are claimed too if they were queued, or queued again, this long ago. */
    unsendableSeconds: number
  },
): Promise<DueDelivery[]> {
  const { worker, limit, maxPerWorkspace, leaseSeconds, kinds, unsendableSeconds } = options
  return await database
    .statementAs('all-workspaces')
    .prepared<DueDelivery>('claim-deliveries', claimStatement, [
      maxPerWorkspace,
      kinds,
      limit,
      worker,
      leaseSeconds,
      unsendableSeconds,
    ])
}

const claimStatement = `
      WITH RECURSIVE pending_workspaces AS (
        (SELECT workspace_id FROM deliveries WHERE state = 'pending' ORDER BY workspace_id LIMIT 1)
        UNION ALL
        SELECT (SELECT d.workspace_id FROM deliveries d WHERE d.state = 'pending' AND d.workspace_id > w.workspace_id
          ORDER BY d.workspace_id LIMIT 1)
        FROM pending_workspaces w WHERE w.workspace_id IS NOT NULL
      ),
      due AS (
        SELECT d.id FROM pending_workspaces w
        CROSS JOIN LATERAL (
          SELECT greatest($1::integer - count(*), 0) AS slots FROM deliveries leased
          WHERE leased.workspace_id = w.workspace_id AND leased.state = 'pending' AND leased.leased_until > app_now()
        ) free
        CROSS JOIN LATERAL (
          SELECT c.id, c.due_at FROM deliveries c
          WHERE c.workspace_id = w.workspace_id AND c.state = 'pending' AND c.due_at <= app_now()
            AND (c.leased_until IS NULL OR c.leased_until <= app_now())
            AND (c.kind = ANY ($2::text[]) OR c.round_at <= app_now() - make_interval(secs => $6))
          ORDER BY c.due_at LIMIT free.slots
        ) d
        ORDER BY d.due_at LIMIT $3
      ),
      claimable AS (
        -- Compared again with the locked row: another worker may have attempted it meanwhile, and planned a retry.
        SELECT id FROM deliveries WHERE id IN (SELECT id FROM due) AND state = 'pending' AND due_at <= app_now()
          AND (leased_until IS NULL OR leased_until <= app_now())
        FOR UPDATE SKIP LOCKED
      )
      UPDATE deliveries d SET leased_by = $4, leased_until = app_now() + make_interval(secs => $5)
      FROM claimable WHERE d.id = claimable.id
      RETURNING d.id, d.workspace_id, d.event_id, d.task_id, d.kind, d.url, d.recipient, d.target, d.body, d.round_count,
        extract(epoch FROM app_now() - d.round_at)::float AS age_seconds,
        ARRAY(SELECT s.sealed FROM webhook_secrets s
          WHERE s.workspace_id = d.workspace_id AND (s.expires_at IS NULL OR s.expires_at > app_now())
          ORDER BY s.id DESC) AS sealed_secrets`

export async function renewLeases(
  database: Database,
  worker: string,
  ids: string[],
  leaseSeconds: number,
): Promise<void> {
  await database.allWorkspaces((db) =>
    sql`UPDATE deliveries SET leased_until = app_now() + make_interval(secs => ${leaseSeconds})
      WHERE id = ANY (${ids}::text[]) AND leased_by = ${worker} AND state = 'pending'`.execute(db),
  )
}

/** Returns false, and deletes nothing, if another worker has claimed the notice meanwhile. */
export async function deleteNotice(tx: Transaction, id: string, worker: string): Promise<boolean> {
  const deleted = await tx.db
    .deleteFrom('deliveries')
    .where('workspaceId', '=', tx.workspaceId)
    .where('id', '=', id)
    .where('leasedBy', '=', worker)
    .returning('id')
    .executeTakeFirst()
  return deleted !== undefined
}

/** The state of a delivery after an attempt. `inSeconds`: when the next attempt is due. */
export type NextState = { state: 'delivered' } | { state: 'failed' } | { state: 'pending'; inSeconds: number }

/** Records the attempt and the next state. A worker that lost its lease records only the attempt. */
export async function recordAttempt(
  tx: Transaction,
  deliveryId: string,
  worker: string,
  attempt: Attempt,
  next: NextState,
): Promise<void> {
  // First, because it locks the row: concurrent attempts get different numbers.
  const counted = await tx.db
    .updateTable('deliveries')
    .set((set) => ({ attemptCount: set('attemptCount', '+', 1) }))
    .where('workspaceId', '=', tx.workspaceId)
    .where('id', '=', deliveryId)
    .returning(['attemptCount', 'leasedBy', isCleared.as('isCleared')])
    .executeTakeFirst()
  if (!counted) return
  await tx.db
    .insertInto('deliveryAttempts')
    .values({
      deliveryId,
      number: counted.attemptCount,
      workspaceId: tx.workspaceId,
      at: sql<Date>`app_now() - make_interval(secs => ${attempt.durationMilliseconds / 1000})`,
      status: attempt.status ?? null,
      durationMilliseconds: attempt.durationMilliseconds,
      error: attempt.error ?? null,
      // A receiver's response may repeat the deleted content.
      responseBody: counted.isCleared ? null : (attempt.responseBody ?? null),
    })
    .execute()
  if (counted.leasedBy !== worker) return
  await tx.db
    .updateTable('deliveries')
    .set((set) => ({
      roundCount: set('roundCount', '+', 1),
      state: next.state,
      leasedBy: null,
      leasedUntil: null,
      ...(next.state === 'pending'
        ? { dueAt: sql<Date>`app_now() + make_interval(secs => ${next.inSeconds})` }
        : { endedAt: sql<Date>`app_now()` }),
    }))
    .where('workspaceId', '=', tx.workspaceId)
    .where('id', '=', deliveryId)
    .execute()
}

export type DeliveryFilters = {
  state?: NextState['state'] | undefined
  taskId?: string | undefined
  createdAfter?: string | undefined
  createdBefore?: string | undefined
  endedAfter?: string | undefined
}

/** Whether the body was deleted with the content of its task: such a delivery cannot be sent again. */
const isCleared = sql<boolean>`body = ''`

/** Selects from the delivery log, without notices: fan-out.ts replaces a notice with deliveries. */
function selectLog(tx: Transaction) {
  return tx.db
    .selectFrom('deliveries as d')
    .leftJoin('users', 'users.id', 'd.recipient')
    .select([
      'd.id',
      'd.eventId',
      'd.eventType',
      'd.taskId',
      'd.kind',
      'd.url',
      'users.email as recipient',
      'd.target',
    ])
    .select(['d.state', 'd.attemptCount', 'd.dueAt', 'd.createdAt', 'd.endedAt', isCleared.as('isCleared')])
    .where('d.workspaceId', '=', tx.workspaceId)
    .where('d.kind', '<>', 'notice')
}

export function listDeliveries(
  tx: Transaction,
  filters: DeliveryFilters,
  before: PagePosition | undefined,
  limit: number,
) {
  let query = selectLog(tx).orderBy('d.createdAt', 'desc').orderBy('d.id', 'desc').limit(limit)
  if (filters.state) query = query.where('d.state', '=', filters.state)
  if (filters.taskId) query = query.where('d.taskId', '=', filters.taskId)
  if (filters.createdAfter) query = query.where('d.createdAt', '>', new Date(filters.createdAfter))
  if (filters.createdBefore) query = query.where('d.createdAt', '<', new Date(filters.createdBefore))
  if (filters.endedAfter) query = query.where('d.endedAt', '>', new Date(filters.endedAfter))
  if (before)
    query = query.where(sql<SqlBool>`(d.created_at, d.id) < (${before.at}::timestamptz, ${before.id})`)
  return query.execute()
}

export type DeliveryRow = Awaited<ReturnType<typeof listDeliveries>>[number]

export function findDelivery(tx: Transaction, id: string): Promise<DeliveryRow | undefined> {
  return selectLog(tx).where('d.id', '=', id).executeTakeFirst()
}

/**
 * For whom a notification of a task was queued or is held (for quiet hours or the hourly email),
 * and by which medium.
 */
export async function listNotified(
  { db, workspaceId }: Transaction,
  taskId: string,
): Promise<{ recipient: string; kind: string }[]> {
  const { rows } = await sql<{ recipient: string; kind: string }>`
    SELECT recipient, kind FROM deliveries
    WHERE workspace_id = ${workspaceId} AND task_id = ${taskId} AND recipient IS NOT NULL
    UNION
    SELECT user_id, medium FROM held_notifications WHERE workspace_id = ${workspaceId} AND task_id = ${taskId}`.execute(
    db,
  )
  return rows
}

/** Not part of DeliveryRow, so that a page of deliveries does not read all bodies. */
export async function findDeliveryBody(tx: Transaction, id: string): Promise<string> {
  const { body } = await tx.db
    .selectFrom('deliveries')
    .select('body')
    .where('workspaceId', '=', tx.workspaceId)
    .where('id', '=', id)
    .executeTakeFirstOrThrow()
  return body
}

export function listAttempts(tx: Transaction, deliveryIds: string[]) {
  if (deliveryIds.length === 0) return Promise.resolve([])
  return tx.db
    .selectFrom('deliveryAttempts')
    .select(['deliveryId', 'number', 'at', 'status', 'durationMilliseconds', 'error', 'responseBody'])
    .where('workspaceId', '=', tx.workspaceId)
    .where('deliveryId', 'in', deliveryIds)
    .orderBy('deliveryId')
    .orderBy('number')
    .execute()
}

export type AttemptRow = Awaited<ReturnType<typeof listAttempts>>[number]

/** Restarts the retry schedule. Returns false if an attempt is in progress or the body was deleted. */
export async function requeueDelivery(tx: Transaction, id: string): Promise<boolean> {
  const changed = await requeue(tx.db, tx.workspaceId).where('id', '=', id).returning('id').execute()
  if (changed.length > 0) tx.wakeUp(deliveriesDue)
  return changed.length > 0
}

/**
 * Selects by the time of the failure, not of the creation: the retries of a callback take more than
 * a day.
 */
export async function requeueFailedDeliveries(tx: Transaction, since: Date): Promise<number> {
  const { numUpdatedRows } = await requeue(tx.db, tx.workspaceId)
    .where('state', '=', 'failed')
    .where('endedAt', '>=', since)
    .executeTakeFirst()
  if (numUpdatedRows > 0n) tx.wakeUp(deliveriesDue)
  return Number(numUpdatedRows)
}

function requeue(db: Kysely<Schema>, workspaceId: string) {
  return db
    .updateTable('deliveries')
    .set({
      state: 'pending',
      roundCount: 0,
      roundAt: sql<Date>`app_now()`,
      dueAt: sql<Date>`app_now()`,
      endedAt: null,
      leasedBy: null,
      leasedUntil: null,
    })
    .where('workspaceId', '=', workspaceId)
    .where('body', '<>', '')
    .where((where) =>
      where.or([where('leasedUntil', 'is', null), where('leasedUntil', '<=', sql<Date>`app_now()`)]),
    )
}

/** Locks all deliveries of a task, and says whether an attempt of one of them is in progress. */
export async function lockDeliveries(
  { db, workspaceId }: Transaction,
  taskId: string,
): Promise<{ hasAttemptInProgress: boolean }> {
  const { rows } = await sql<{ isInProgress: boolean }>`
    SELECT coalesce(state = 'pending' AND leased_until > app_now(), false) AS is_in_progress FROM deliveries
    WHERE workspace_id = ${workspaceId} AND task_id = ${taskId} FOR UPDATE`.execute(db)
  return { hasAttemptInProgress: rows.some(({ isInProgress }) => isInProgress) }
}

/** Marks a task's pending deliveries as failed, but not its notice. Returns how many it has marked. */
export async function failPendingDeliveries(
  { db, workspaceId }: Transaction,
  taskId: string,
): Promise<number> {
  const failed = await db
    .updateTable('deliveries')
    .set({ state: 'failed', endedAt: sql<Date>`app_now()`, leasedBy: null, leasedUntil: null })
    .where('workspaceId', '=', workspaceId)
    .where('taskId', '=', taskId)
    .where('state', '=', 'pending')
    .where('kind', '<>', 'notice')
    .returning('id')
    .execute()
  return failed.length
}

/** Deletes bodies and receivers' responses. Pending deliveries fail, so that no empty body is sent. */
export async function clearDeliveries({ db, workspaceId }: Transaction, taskIds: string[]): Promise<void> {
  const cleared = await sql<{ id: string }>`
    UPDATE deliveries SET body = '', leased_by = NULL, leased_until = NULL,
      state = CASE state WHEN 'pending' THEN 'failed' ELSE state END,
      ended_at = CASE state WHEN 'pending' THEN app_now() ELSE ended_at END
    WHERE workspace_id = ${workspaceId} AND task_id = ANY (${taskIds}::text[]) AND kind <> 'notice' RETURNING id`.execute(
    db,
  )
  // Runs after the deliveries are locked, so that attempts recorded meanwhile are included.
  await sql`
    UPDATE delivery_attempts SET response_body = NULL WHERE workspace_id = ${workspaceId} AND response_body IS NOT NULL
      AND delivery_id = ANY (${cleared.rows.map(({ id }) => id)}::text[])`.execute(db)
}
