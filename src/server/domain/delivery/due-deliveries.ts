import { claimDeliveries, deliveriesDue, renewLeases } from '../../storage/delivery/deliveries.ts'
import type { Service } from '../service.ts'
import type { Transport } from './transport.ts'

// Deliveries in progress per workspace, on all nodes together: slow receivers of one workspace do
// not block the others.
const maxPerWorkspace = 10

export function claimDueDeliveries(
  { database, sendMail }: Service,
  transport: Transport,
  worker: string,
  limit: number,
  leaseSeconds: number,
) {
  // Deliveries that this process cannot send are left to one that can.
  const kinds = [
    'callback',
    'chat',
    'push',
    'notice',
    'slack',
    ...(transport.sendToMcp ? ['sse'] : []),
    ...(sendMail ? ['mail'] : []),
  ]
  return claimDeliveries(database, { worker, limit, maxPerWorkspace, leaseSeconds, kinds })
}

export function renewDeliveryLeases(
  { database }: Service,
  worker: string,
  ids: string[],
  leaseSeconds: number,
): Promise<void> {
  return renewLeases(database, worker, ids, leaseSeconds)
}

export function onDeliveriesDue({ database }: Service, wake: () => void): () => void {
  return database.wakeUps.listen(deliveriesDue, wake)
}
