import { appendAudit } from '../../storage/audit/audit-log.ts'
import { failPendingDeliveries, lockDeliveries } from '../../storage/delivery/deliveries.ts'
import { listEventIds } from '../../storage/events/event-log.ts'
import { lockRollUps } from '../../storage/feedback/roll-ups.ts'
import { deleteSessionMessages } from '../../storage/mcp-sessions/mcp-sessions.ts'
import { lockTaskToClear } from '../../storage/tasks/task-content.ts'
import { type PersonActor, requireRole } from '../actor.ts'
import { conflict, DomainProblem, notFound } from '../problems.ts'
import type { Service } from '../service.ts'
import { clearContent } from './clear-content.ts'

/**
 * Permanently deletes the content and the answer of an ended task. Its pending deliveries are
 * marked as failed, except a notice, which contains no content.
 */
export async function deleteContent(
  { database }: Service,
  actor: PersonActor,
  taskId: string,
): Promise<void> {
  requireRole(actor, 'admin')
  const eventIds = await database.inWorkspace(actor.workspaceId, async (tx) => {
    await lockRollUps(tx)
    const task = await lockTaskToClear(tx, taskId)
    if (!task) throw notFound('task')
    if (task.status === 'open')
      throw conflict('The task is open and someone may be answering it. Cancel it first.')
    const eventIds = await listEventIds(tx, taskId)
    if (task.contentDeletedAt !== null) return eventIds
    if (task.isBeingErased) throw tryAgainSoon('The person who answered it is being erased.')
    const { hasAttemptInProgress } = await lockDeliveries(tx, taskId)
    if (hasAttemptInProgress) throw tryAgainSoon('A delivery attempt is in progress.')
    const deliveriesFailed = await failPendingDeliveries(tx, taskId)
    await clearContent(tx, [task])
    await appendAudit(tx, {
      actor: actor.id,
      from: actor.from,
      action: 'task.content_deleted',
      subject: taskId,
      ...(deliveriesFailed > 0 && { details: { deliveriesFailed } }),
    })
    return eventIds
  })
  // In a separate transaction, because the messages of MCP sessions are outside row-level security.
  // If this fails, a second request for the same task repeats it.
  await deleteSessionMessages(database, eventIds)
}

function tryAgainSoon(reason: string): DomainProblem {
  return new DomainProblem('unavailable', `${reason} Try again in 15 seconds.`, {
    retryAfterSeconds: 15,
  })
}
