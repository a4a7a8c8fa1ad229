import type { Courier } from '../domain/delivery/deliver.ts'
import type { Service } from '../domain/service.ts'
import { startDelivering } from './deliver.ts'
import { startExpiring } from './expire-tasks.ts'

const quietMilliseconds = 30_000

export type Jobs = ReturnType<typeof startJobs>

/** Everything that runs later, in this process. */
export function startJobs(service: Service, courier: Courier) {
  const delivering = startDelivering(service, courier)
  const expiring = startExpiring(service)
  return {
    /** Due rows were looked at lately. */
    areWell: () => Date.now() - delivering.lastSweepAt() < quietMilliseconds,
    async close() {
      await Promise.all([delivering.close(), expiring.close()])
    },
  }
}
