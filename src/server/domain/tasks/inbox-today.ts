import type { InboxToday } from '../../../contract/inbox.ts'
import { findOpen } from '../../storage/inbox/filtered-inbox.ts'
import { listSnoozes } from '../../storage/inbox/snoozes.ts'
import {
  countExpired,
  countPerHour,
  type HourRow,
  medianSecondsBefore,
  summarizeAnswers,
  summarizeDeadlines,
} from '../../storage/inbox/today.ts'
import type { PersonActor } from '../actor.ts'
import type { Service } from '../service.ts'
import { presentInboxRows } from './inbox-row.ts'

// Each figure covers at most this many tasks, so that it takes a few milliseconds. Where the page
// says that there are more, one more is read.
const maxCovered = 5_000
const soonSeconds = 30 * 60
const listedDueTasks = 3
const daysBefore = 7
// A day has 25 hours when clocks are set back.
const maxHours = 25

/**
 * The figures of the start pane and of the empty inbox: answers and arrivals since a time, and the
 * open tasks that are due now or soon.
 */
export async function inboxToday(
  { database }: Service,
  actor: PersonActor,
  since: string,
): Promise<InboxToday> {
  return await database.inWorkspace(actor.workspaceId, async (tx) => {
    const answers = await summarizeAnswers(tx, actor.id, since, maxCovered + 1)
    const expired = await countExpired(tx, since, maxCovered + 1)
    const perHour = await countPerHour(tx, since, maxCovered + 1)
    const total = (column: 'arrived' | 'sent') => perHour.reduce((sum, row) => sum + row[column], 0)
    const snoozes = await listSnoozes(tx, actor.id)
    const { taskIds, late, soon, oldestOpenAt } = await summarizeDeadlines(tx, {
      soonSeconds,
      listed: listedDueTasks,
      limit: maxCovered,
      snoozes,
    })
    const dueRows = presentInboxRows(await findOpen(tx, actor.id, taskIds, {}), [])
    return {
      handled: Math.min(answers.handled, maxCovered),
      handledByMe: answers.handledByMe,
      handledBeforeDeadline: answers.handledBeforeDeadline,
      medianSeconds: answers.medianSeconds,
      medianSecondsBefore: await medianSecondsBefore(tx, since, daysBefore, maxCovered),
      missed: answers.timeouts + expired,
      arrived: Math.min(total('arrived'), maxCovered),
      hasMoreAnswers: answers.total > maxCovered,
      hasMoreArrivals: total('sent') > maxCovered,
      hours: listHours(perHour),
      due: {
        late,
        soon,
        rows: taskIds.flatMap((id) => dueRows.filter(({ taskId }) => taskId === id)),
      },
      oldestOpenAt: oldestOpenAt?.toISOString() ?? null,
    }
  })
}

/** One entry per hour, up to the last one in which a task was sent or answered. */
function listHours(perHour: HourRow[]): InboxToday['hours'] {
  const counted = new Map(perHour.map(({ hour, arrived, handled }) => [hour, { arrived, handled }]))
  const length = Math.min(maxHours, (perHour.at(-1)?.hour ?? -1) + 1)
  return Array.from({ length }, (_, n) => counted.get(n) ?? { arrived: 0, handled: 0 })
}
