import type { Claim } from '../../../contract/inbox.ts'
import { limits } from '../../../contract/limits.ts'
import { recordTaskEvent } from '../../storage/events/event-log.ts'
import { dropClaim, takeClaim } from '../../storage/inbox/claims.ts'
import type { PersonActor } from '../actor.ts'
import type { Service } from '../service.ts'
import { requireTask } from './get-task.ts'
import { taskNotOpen } from './task-not-open.ts'

/**
 * Returns the claim now in force: the actor's, or that of a member who was first. A claim never
 * blocks an answer.
 */
export async function claimTask({ database }: Service, actor: PersonActor, taskId: string): Promise<Claim> {
  return await database.inWorkspace(actor.workspaceId, async (tx) => {
    const task = await requireTask(tx, taskId)
    if (task.status !== 'open') throw taskNotOpen(task)
    const { claim, changed } = await takeClaim(tx, taskId, actor.id, limits.claimSeconds)
    if (!claim) throw taskNotOpen(await requireTask(tx, taskId))
    const current = { userId: claim.userId, name: claim.name, until: claim.until.toISOString() }
    if (changed)
      await recordTaskEvent(tx, {
        type: 'service/task_claimed',
        taskId,
        threadId: task.threadId,
        body: current,
      })
    return current
  })
}

export async function releaseTask({ database }: Service, actor: PersonActor, taskId: string): Promise<void> {
  await database.inWorkspace(actor.workspaceId, async (tx) => {
    const task = await requireTask(tx, taskId)
    if (!(await dropClaim(tx, taskId, actor.id))) return
    await recordTaskEvent(tx, { type: 'service/task_released', taskId, threadId: task.threadId, body: {} })
  })
}
