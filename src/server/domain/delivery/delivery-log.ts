import type { AuditAction } from '../../../contract/audit.ts'
import type {
  Delivery,
  DeliveryPage,
  DeliveryWithBody,
  ListDeliveries,
  TaskDelivery,
} from '../../../contract/delivery.ts'
import type { TestEvent } from '../../../contract/event.ts'
import { limits } from '../../../contract/limits.ts'
import { newId } from '../../lib/ids.ts'
import { appendAudit } from '../../storage/audit/audit-log.ts'
import {
  type AttemptRow,
  type DeliveryRow,
  findDeliveryBody,
  findDelivery as findDeliveryRow,
  insertDelivery,
  listAttempts,
  listDeliveries as listDeliveryRows,
  requeueDelivery,
  requeueFailedDeliveries,
} from '../../storage/delivery/deliveries.ts'
import type { Transaction } from '../../storage/engine/database.ts'
import { type PersonActor, requireRole } from '../actor.ts'
import { decodePosition, toPage } from '../cursor.ts'
import { conflict, invalidRequest, notFound } from '../problems.ts'
import type { Service } from '../service.ts'
import { requireTask } from '../tasks/get-task.ts'
import { callbackUrlProblem } from './check-callback-url.ts'

/** A page of the deliveries of the workspace with their attempts, newest first. */
export async function listDeliveries(
  { database }: Service,
  actor: PersonActor,
  { limit, cursor, ...filters }: ListDeliveries,
): Promise<DeliveryPage> {
  requireRole(actor, 'admin')
  const size = limit ?? limits.pageDefault
  const before = decodePosition(cursor)
  return await database.inWorkspace(actor.workspaceId, async (tx) => {
    const found = await listDeliveryRows(tx, filters, before, size + 1)
    const { rows, nextCursor } = toPage(found, size, (row) => [row.createdAt.toISOString(), row.id])
    return { deliveries: await withAttempts(tx, rows), nextCursor }
  })
}

export async function findDelivery(
  { database }: Service,
  actor: PersonActor,
  deliveryId: string,
): Promise<DeliveryWithBody> {
  requireRole(actor, 'admin')
  return await database.inWorkspace(actor.workspaceId, async (tx) => {
    const row = await findDeliveryRow(tx, deliveryId)
    if (!row) throw notFound('delivery')
    const body = await findDeliveryBody(tx, deliveryId)
    return { ...(await withAttempts(tx, [row]))[0]!, body }
  })
}

/**
 * The newest deliveries of one task, for every member. URLs, recipients, errors and response bodies
 * are for admins only.
 */
export async function listTaskDeliveries(
  { database }: Service,
  actor: PersonActor,
  taskId: string,
): Promise<TaskDelivery[]> {
  return await database.inWorkspace(actor.workspaceId, async (tx) => {
    await requireTask(tx, taskId)
    const rows = await listDeliveryRows(tx, { taskId }, undefined, limits.pageMax)
    return (await withAttempts(tx, rows)).map(presentBriefly)
  })
}

/** Queues a delivery again with the same event id and stored body, even if it was delivered before. */
export async function redeliver(
  { database }: Service,
  actor: PersonActor,
  deliveryId: string,
): Promise<Delivery> {
  requireRole(actor, 'admin')
  return await database.inWorkspace(actor.workspaceId, async (tx) => {
    const delivery = await findDeliveryRow(tx, deliveryId)
    if (!delivery) throw notFound('delivery')
    if (delivery.isCleared)
      throw conflict('The content of this task was deleted, so its deliveries cannot be sent again.')
    if (!(await requeueDelivery(tx, deliveryId)))
      throw conflict('An attempt is in progress. Wait for its result, then try again.')
    await audit(tx, actor, 'delivery.redelivered', deliveryId)
    return (await withAttempts(tx, [(await findDeliveryRow(tx, deliveryId))!]))[0]!
  })
}

/** Queues every delivery that failed at or after `since` again. Returns how many. */
export async function redeliverFailed(
  { database }: Service,
  actor: PersonActor,
  since: string,
): Promise<number> {
  requireRole(actor, 'admin')
  return await database.inWorkspace(actor.workspaceId, async (tx) => {
    const count = await requeueFailedDeliveries(tx, new Date(since))
    await audit(tx, actor, 'delivery.all_failed_redelivered', actor.workspaceId)
    return count
  })
}

/** Queues a signed event of type service/test, which takes the same path as a real delivery. */
export async function sendTestEvent(
  { database, mayCall }: Service,
  actor: PersonActor,
  url: string,
): Promise<Delivery> {
  requireRole(actor, 'admin')
  const problem = callbackUrlProblem(url, mayCall)
  if (problem) throw invalidRequest([{ path: 'url', message: problem }])
  const event: TestEvent = { eventId: newId('event'), type: 'service/test', sentAt: new Date().toISOString() }
  return await database.inWorkspace(actor.workspaceId, async (tx) => {
    const id = await insertDelivery(tx, {
      eventId: event.eventId,
      eventType: event.type,
      taskId: undefined,
      kind: 'callback',
      url,
      body: JSON.stringify(event),
    })
    await audit(tx, actor, 'delivery.test_sent', id)
    return (await withAttempts(tx, [(await findDeliveryRow(tx, id))!]))[0]!
  })
}

function audit(tx: Transaction, actor: PersonActor, action: AuditAction, subject: string): Promise<void> {
  return appendAudit(tx, { actor: actor.id, from: actor.from, action, subject })
}

async function withAttempts(tx: Transaction, rows: DeliveryRow[]): Promise<Delivery[]> {
  const ids = rows.map(({ id }) => id)
  const attempts = await listAttempts(tx, ids)
  return rows.map((row) =>
    present(
      row,
      // Ignores attempts recorded between the two queries, so that a delivery and its attempts
      // agree.
      attempts.filter(({ deliveryId, number }) => deliveryId === row.id && number <= row.attemptCount),
    ),
  )
}

function present(row: DeliveryRow, attempts: AttemptRow[]): Delivery {
  const to = row.recipient ?? row.target
  return {
    deliveryId: row.id,
    eventId: row.eventId,
    eventType: row.eventType,
    ...(row.taskId !== null && { taskId: row.taskId }),
    kind: row.kind as Delivery['kind'],
    ...(row.url !== null && { url: row.url }),
    ...(to !== null && { to }),
    state: row.state,
    attemptCount: row.attemptCount,
    ...(row.state === 'pending' && { nextAttemptAt: row.dueAt.toISOString() }),
    createdAt: row.createdAt.toISOString(),
    ...(row.endedAt !== null && { endedAt: row.endedAt.toISOString() }),
    attempts: attempts.map((attempt) => ({
      number: attempt.number,
      at: attempt.at.toISOString(),
      ...(attempt.status !== null && { status: attempt.status }),
      durationMilliseconds: attempt.durationMilliseconds,
      ...(attempt.error !== null && { error: attempt.error }),
      ...(attempt.responseBody !== null && { responseBody: attempt.responseBody }),
    })),
  }
}

function presentBriefly(delivery: Delivery): TaskDelivery {
  const { deliveryId, eventType, kind, state, attemptCount, nextAttemptAt, createdAt, endedAt } = delivery
  const lastStatus = delivery.attempts.at(-1)?.status
  return {
    deliveryId,
    eventType,
    kind,
    state,
    attemptCount,
    ...(nextAttemptAt !== undefined && { nextAttemptAt }),
    createdAt,
    ...(endedAt !== undefined && { endedAt }),
    ...(lastStatus !== undefined && { lastStatus }),
  }
}
