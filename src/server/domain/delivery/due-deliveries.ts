import { claimDeliveries, deliveriesDue, renewLeases } from '../../storage/delivery/deliveries.ts'
import type { Service } from '../service.ts'
import type { Transport } from './transport.ts'

// Deliveries in progress per workspace, on all nodes together: slow receivers of one workspace do
// not block other workspaces.
const maxPerWorkspace = 10
// Deliveries that this process cannot send are left to one that can, for a day. Then it claims them
// too, and they fail: without a mail server, emails would be pending forever.
const unsendableSeconds = 24 * 3600

export function claimDueDeliveries(
  { database, sendMail }: Service,
  transport: Transport,
  worker: string,
  limit: number,
  leaseSeconds: number,
) {
  const kinds = [
    'callback',
    'chat',
    'push',
    'notice',
    'slack',
    ...(transport.sendToMcp ? ['sse'] : []),
    ...(sendMail ? ['mail'] : []),
  ]
  const limits = { limit, maxPerWorkspace, leaseSeconds, unsendableSeconds }
  return claimDeliveries(database, { worker, kinds, ...limits })
}

export function renewDeliveryLeases(
  { database }: Service,
  worker: string,
  ids: string[],
  leaseSeconds: number,
): Promise<void> {
  return renewLeases(database, worker, ids, leaseSeconds)
}

/** Calls `wake` when deliveries may be due. Returns an unsubscribe function. */
export function onDeliveriesDue({ database }: Service, wake: () => void): () => void {
  return database.wakeUps.listen(deliveriesDue, wake)
}
