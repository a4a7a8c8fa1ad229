import { Webhook } from 'standardwebhooks'
import { newId } from '../../src/server/lib/ids.ts'
import { query } from './sql.ts'

/** An event as the service builds it for an answered task. Not stored. */
export function handledEvent(taskId: string, more: Record<string, unknown> = {}) {
  return {
    eventId: newId('event'),
    type: 'service/task_handled',
    taskId,
    status: 'handled',
    action: { id: 'approve', title: 'Approve', data: { zebra: 1, alpha: { 'odd key': '„ok“\n' } } },
    handledBy: 'ada@example.com',
    handledAt: '2026-11-15T09:30:00.000Z',
    decidedBy: 'human',
    via: 'web',
    task: { app: 'default', type: 'refund-approval', name: 'Refund €40?', threadId: taskId },
    ...more,
  }
}

/** The same event, stored as an already delivered push, so that the service accepts it. */
export async function storedEvent(databaseUrl: string, taskId: string, more: Record<string, unknown> = {}) {
  const event = handledEvent(taskId, more)
  const { eventId, type } = event
  await query(
    databaseUrl,
    `INSERT INTO deliveries (id, workspace_id, event_id, event_type, task_id, kind, body, state, ended_at)
     SELECT $1, workspace_id, $2, $3, id, 'sse', $4, 'delivered', app_now() FROM tasks WHERE id = $5`,
    [newId('delivery'), eventId, type, JSON.stringify(event), taskId],
  )
  return event
}

/** Sends a signed POST /webhooks/service. */
export async function sendWebhook(
  url: string,
  secret: string,
  event: { eventId: string },
  options: { sentAt?: Date; sentText?: string } = {},
): Promise<number> {
  const text = JSON.stringify(event)
  const sentAt = options.sentAt ?? new Date()
  const response = await fetch(`${url}/webhooks/service`, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      'webhook-id': event.eventId,
      'webhook-timestamp': String(Math.floor(sentAt.getTime() / 1000)),
      'webhook-signature': new Webhook(secret).sign(event.eventId, sentAt, text),
    },
    body: options.sentText ?? text,
  })
  await response.arrayBuffer()
  return response.status
}
