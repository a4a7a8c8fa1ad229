import { queueHeld } from '../../src/server/domain/notifications/queue-held.ts'
import { expireTasks } from '../../src/server/domain/tasks/expire-tasks.ts'
import { returnUnanswered } from '../../src/server/domain/tasks/return-unanswered.ts'
import { runDueSteps } from '../../src/server/domain/tasks/run-due-steps.ts'
import { erasePeople } from '../../src/server/domain/workspaces/erase-people.ts'
import { deliveriesDue } from '../../src/server/storage/delivery/deliveries.ts'
import { slackMessagesChanged } from '../../src/server/storage/notifications/slack-messages.ts'
import { moveClock } from './rows.ts'
import type { TestService } from './service.ts'

type Swept = Pick<TestService, 'app' | 'databaseUrl'>

/**
 * Does now what the jobs of a service in this process would do within five seconds. One test per
 * job waits for it instead.
 */
export async function runSweeps({ app: { service } }: Swept): Promise<void> {
  await expireTasks(service)
  await returnUnanswered(service)
  await runDueSteps(service)
  await queueHeld(service)
  await erasePeople(service, service.draining)
  for (const topic of [slackMessagesChanged, deliveriesDue]) service.database.wakeUps.announce('', topic)
}

/** Moves the clock of a service in this process and does what is due then. */
export async function passTime(service: Swept, interval: string): Promise<void> {
  await moveClock(service.databaseUrl, interval)
  await runSweeps(service)
}
