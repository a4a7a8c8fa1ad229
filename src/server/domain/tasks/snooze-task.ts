import type { SnoozeTask, TaskSnoozed } from '../../../contract/inbox.ts'
import { limits } from '../../../contract/limits.ts'
import { readClock } from '../../storage/engine/read-clock.ts'
import { deleteSnooze, listSnoozes, saveSnooze } from '../../storage/inbox/snoozes.ts'
import type { PersonActor } from '../actor.ts'
import { conflict, invalidRequest } from '../problems.ts'
import type { Service } from '../service.ts'
import { requireTask } from './get-task.ts'
import { taskNotOpen } from './task-not-open.ts'

const maxMilliseconds = limits.snoozeDays * 24 * 60 * 60 * 1000

/**
 * Hides an open task from the inbox of one person until a time, until it becomes late, or until its
 * next event that is not about a claim. Nothing changes for other people, and no deadline moves.
 */
export async function snoozeTask(
  { database }: Service,
  actor: PersonActor,
  taskId: string,
  { until }: SnoozeTask,
): Promise<TaskSnoozed> {
  return await database.inWorkspace(actor.workspaceId, async (tx) => {
    const task = await requireTask(tx, taskId)
    if (task.status !== 'open') throw taskNotOpen(task)
    const ahead = Date.parse(until) - (await readClock(tx)).getTime()
    if (ahead <= 0 || ahead > maxMilliseconds) {
      const message = `Must be in the future, at most ${limits.snoozeDays} days from now.`
      throw invalidRequest([{ path: 'until', message }])
    }
    const others = (await listSnoozes(tx, actor.id)).filter((snooze) => snooze.taskId !== taskId)
    if (others.length >= limits.snoozesPerPerson) {
      throw conflict(
        `You have snoozed ${limits.snoozesPerPerson} tasks, which is the limit. End the snooze of one of them first.`,
      )
    }
    const saved = await saveSnooze(tx, taskId, actor.id, until)
    if (!saved) throw taskNotOpen(await requireTask(tx, taskId))
    return { until: saved.toISOString() }
  })
}

/** Shows the task again. Does nothing if it is not snoozed. */
export async function unsnoozeTask({ database }: Service, actor: PersonActor, taskId: string): Promise<void> {
  await database.inWorkspace(actor.workspaceId, async (tx) => {
    await requireTask(tx, taskId)
    await deleteSnooze(tx, taskId, actor.id)
  })
}
