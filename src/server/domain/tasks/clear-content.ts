import type { Outcome } from '../../../contract/action.ts'
import { clearDeliveries } from '../../storage/delivery/deliveries.ts'
import type { Transaction } from '../../storage/engine/database.ts'
import { clearEventBodies } from '../../storage/events/event-log.ts'
import { removeQuotes } from '../../storage/feedback/analysis-quotes.ts'
import { clearActionTitles } from '../../storage/feedback/roll-ups.ts'
import { clearTasks, type TaskToClear } from '../../storage/tasks/task-content.ts'
import { readAllOutcomesByAdmins } from '../feedback/action-outcomes.ts'
import { outcomeOf } from '../feedback/outcome-of.ts'
import { clearSlackMessages } from '../notifications/slack/rewrite-outdated.ts'

/**
 * Deletes the content of ended tasks from all tables except the logs of MCP sessions. First stores
 * the outcome of each answer for the statistics, because it may be derived from a title that is
 * deleted. An outcome that an admin sets for the action later does not change the stored one. The
 * caller has locked roll-ups and tasks.
 */
export async function clearContent(tx: Transaction, tasks: TaskToClear[]): Promise<void> {
  const outcomeByAdminOf = await readAllOutcomesByAdmins(tx)
  const cleared = tasks.map((task) => ({ ...task, outcome: resolveOutcome(task, outcomeByAdminOf(task)) }))
  await clearTasks(tx, cleared)
  await clearEventBodies(tx, cleared)
  const taskIds = tasks.map(({ id }) => id)
  await clearDeliveries(tx, taskIds)
  await clearSlackMessages(tx, taskIds)
  await clearActionTitles(tx, cleared)
  await removeQuotes(tx, tasks)
}

function resolveOutcome(
  { actionId: id, actionTitle: title, declaredOutcome }: TaskToClear,
  outcomeByAdmin: Outcome | undefined,
): Outcome | null {
  if (id === null || title === null) return null
  return outcomeOf({ id, title, outcome: declaredOutcome ?? undefined }, outcomeByAdmin).outcome
}
