import { claimDeliveries, deliveriesDue, renewLeases } from '../../storage/delivery/deliveries.ts'
import type { Service } from '../service.ts'
import type { Transport } from './transport.ts'

// Over all nodes: what one workspace's receivers can hold up at a time.
const capPerWorkspace = 10

export function claimDue(
  { database, sendMail }: Service,
  transport: Transport,
  worker: string,
  room: number,
  leaseSeconds: number,
) {
  // What this process has no way to send is left to one that has.
  const kinds = [
    'callback',
    'chat',
    'notice',
    ...(transport.push ? ['sse'] : []),
    ...(sendMail ? ['mail'] : []),
  ]
  return claimDeliveries(database, { worker, room, capPerWorkspace, leaseSeconds, kinds })
}

export function renewDue(
  { database }: Service,
  worker: string,
  ids: string[],
  leaseSeconds: number,
): Promise<void> {
  return renewLeases(database, worker, ids, leaseSeconds)
}

export function listenForDue({ database }: Service, wake: () => void): () => void {
  return database.wakeUps.listen(deliveriesDue, wake)
}
