import type { Transaction } from '../../storage/database.ts'
import { insertDelivery } from '../../storage/deliveries.ts'

type Told = { id: string; callbackUrl: string | null; push: boolean }
type Event = { eventId: string; type: string }

/** What leaves the house is a due row, written in the transaction of the fact. The body is built once, here. */
export async function oweDeliveries(tx: Transaction, task: Told, event: Event): Promise<void> {
  if (!task.push && task.callbackUrl === null) return
  const body = JSON.stringify(event)
  const told = { eventId: event.eventId, eventType: event.type, taskId: task.id, body }
  if (task.push) await insertDelivery(tx, { ...told, kind: 'sse', url: undefined })
  if (task.callbackUrl !== null)
    await insertDelivery(tx, { ...told, kind: 'callback', url: task.callbackUrl })
}
