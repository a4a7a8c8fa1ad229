import { randomUUID } from 'node:crypto'
import { deliver } from '../domain/delivery/deliver.ts'
import {
  claimDueDeliveries,
  onDeliveriesDue,
  renewDeliveryLeases,
} from '../domain/delivery/due-deliveries.ts'
import type { Transport } from '../domain/delivery/transport.ts'
import type { Service } from '../domain/service.ts'
import { leaseSeconds, startDueWorker } from './due-worker.ts'

const maxConcurrent = 64

/** Sends due deliveries: callbacks, notifications, and events to our own MCP entry point. */
export function startDelivering(service: Service, transport: Transport) {
  const worker = randomUUID()
  return startDueWorker(
    {
      name: 'deliver',
      maxConcurrent,
      claim: (limit) => claimDueDeliveries(service, transport, worker, limit, leaseSeconds),
      idOf: (delivery) => delivery.id,
      renew: (ids) => renewDeliveryLeases(service, worker, ids, leaseSeconds),
      work: (delivery, signal) => deliver(service, transport, worker, delivery, signal),
    },
    service.log,
    (wake) => onDeliveriesDue(service, wake),
  )
}
