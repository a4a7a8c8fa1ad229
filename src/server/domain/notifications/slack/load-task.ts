import type { Transaction } from '../../../storage/engine/database.ts'
import { findTaskState } from '../../../storage/notifications/slack-messages.ts'
import { findMemberByEmail } from '../../../storage/people/members.ts'
import { findWorkspace } from '../../../storage/people/workspaces.ts'
import { listPolicies } from '../../../storage/review/policies.ts'
import { findTask, findTaskContent, type TaskRow } from '../../../storage/tasks/tasks.ts'
import { policyFor } from '../../review/plan-review.ts'
import type { Service } from '../../service.ts'
import { taskUrl } from '../../tasks/present-task.ts'
import type { ShownTask } from './task-message.ts'

/** `state` is read first: if the task changes meanwhile, the message counts as outdated and is rewritten. */
export async function loadShownTask(
  { publicUrl }: Service,
  tx: Transaction,
  taskId: string,
): Promise<(ShownTask & { state: string }) | undefined> {
  const state = await findTaskState(tx, taskId)
  const task = await findTask(tx, taskId)
  if (state === undefined || !task) return undefined
  const content = await findTaskContent(tx, taskId)
  return {
    state,
    task,
    actions: content?.actions ?? [],
    context: content?.context ?? undefined,
    url: taskUrl(publicUrl, tx.workspaceId, taskId),
    isLinkOnly: await isLinkOnly(tx, task),
    answeredBy: task.handledBy === null ? undefined : (await findMemberByEmail(tx, task.handledBy))?.name,
  }
}

/**
 * Whether Slack shows only a link to this task, because of its policy or the two-factor requirement
 * of the workspace.
 */
export async function isLinkOnly(tx: Transaction, task: TaskRow): Promise<boolean> {
  const { requiresTwoFactor } = (await findWorkspace(tx))!
  return requiresTwoFactor || policyFor(await listPolicies(tx), task)?.linkOnly === true
}
