import { limits } from '../../../contract/limits.ts'
import type { SendUpdate, UpdateSent } from '../../../contract/task.ts'
import { appendEvent } from '../../storage/events/event-log.ts'
import { findTask, insertUpdate } from '../../storage/tasks/tasks.ts'
import type { Actor } from '../actor.ts'
import { invalidRequest } from '../problems.ts'
import type { Service } from '../service.ts'
import { requireTask } from './get-task.ts'
import { requireAccess } from './key-limits.ts'
import { taskNotOpen } from './task-not-open.ts'

export async function sendUpdate(
  { database }: Service,
  actor: Actor,
  taskId: string,
  input: SendUpdate,
): Promise<UpdateSent> {
  const level = input.level ?? 'info'
  return await database.inWorkspace(actor.workspaceId, async (tx) => {
    // Only the key of an agent can be limited; others need no second read.
    if (actor.kind === 'key' && (actor.apps || actor.types)) requireAccess(actor, await findTask(tx, taskId))
    const update = { message: input.message, level, progress: input.progress }
    const sent = await insertUpdate(tx, taskId, update, limits.updatesPerTask)
    if (!sent) {
      const task = await requireTask(tx, taskId)
      if (task.status !== 'open') throw taskNotOpen(task)
      throw invalidRequest([
        {
          path: 'message',
          message: `A task may have at most ${limits.updatesPerTask} updates, and this one has reached the limit.`,
        },
      ])
    }
    await appendEvent(tx, {
      type: 'service/task_updated',
      taskId,
      threadId: sent.threadId,
      body: {
        message: input.message,
        level,
        ...(input.progress !== undefined && { progress: input.progress }),
      },
    })
    return { taskId, updateId: sent.id, createdAt: sent.createdAt.toISOString() }
  })
}
