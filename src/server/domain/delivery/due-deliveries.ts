import { claimDeliveries, deliveriesDue, renewLeases } from '../../storage/deliveries.ts'
import type { Service } from '../service.ts'
import type { Courier } from './deliver.ts'

// Over all nodes: what one workspace's receivers can hold up at a time.
const capPerWorkspace = 10

export function claimDue(
  { database }: Service,
  courier: Courier,
  worker: string,
  room: number,
  leaseSeconds: number,
) {
  // Without an MCP address these rows are left to a process that has one.
  const kinds = courier.push ? ['callback', 'sse'] : ['callback']
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
  return database.wakes.listen(deliveriesDue, wake)
}
