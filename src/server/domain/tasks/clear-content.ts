import { clearDeliveries } from '../../storage/delivery/deliveries.ts'
import type { Transaction } from '../../storage/engine/database.ts'
import { clearEventBodies } from '../../storage/events/event-log.ts'
import { cutQuotations } from '../../storage/feedback/analyses.ts'
import { forgetActionTitles } from '../../storage/feedback/statistics.ts'
import { clearTasks, type EndedTask } from '../../storage/tasks/task-content.ts'
import { outcomeOf } from '../feedback/outcome-of.ts'

/**
 * Takes the content of ended tasks out of every table that holds some. What an answer meant is settled first, because it may be
 * read from words that go now, and the figures stay. Under the lock of the roll-ups, the tasks locked.
 */
export async function clearContent(tx: Transaction, tasks: EndedTask[]): Promise<void> {
  const cleared = tasks.map((task) => ({ ...task, outcome: outcome(task) }))
  await clearTasks(tx, cleared)
  await clearEventBodies(tx, cleared)
  await clearDeliveries(
    tx,
    tasks.map(({ id }) => id),
  )
  await forgetActionTitles(tx, cleared)
  await cutQuotations(tx, tasks)
}

function outcome({ actionId: id, actionTitle: title, declaredOutcome }: EndedTask): string | null {
  return id === null || title === null
    ? null
    : outcomeOf({ id, title, outcome: declaredOutcome ?? undefined })
}
