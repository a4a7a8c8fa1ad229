import { checkRevisedPayload } from '../../../contract/check-revision.ts'
import type { CreateTask } from '../../../contract/create-task.ts'
import { limits } from '../../../contract/limits.ts'
import type { Revision } from '../../../contract/task-update.ts'
import { matches, patternProblem } from '../../lib/re2-patterns.ts'
import type { Transaction } from '../../storage/engine/database.ts'
import { insertRevision, measureRevisions, type RevisedTask } from '../../storage/tasks/conversation.ts'
import { findTaskContent, type TaskRow } from '../../storage/tasks/tasks.ts'
import type { Actor } from '../actor.ts'
import { conflict, invalidRequest, payloadTooLarge } from '../problems.ts'
import { payloadBytes } from './create-task.ts'
import { requireTask } from './get-task.ts'
import { requireSender } from './require-sender.ts'

/**
 * A checked revision, and the number of the revision that it replaces. `next` is undefined if the
 * revision changes nothing.
 */
export type CheckedRevision = { replaces: number; next: RevisedTask | undefined }

/**
 * Checks the task as it would be after the revision, with the rules for a new task. This may take
 * milliseconds, so the caller locks the thread only afterwards.
 */
export async function checkRevision(
  tx: Transaction,
  actor: Actor,
  taskId: string,
  { task: texts, ...parts }: Revision,
): Promise<CheckedRevision> {
  const task = await requireTask(tx, taskId)
  requireSender(task, actor)
  const content = (await findTaskContent(tx, taskId))!
  const context = parts.context ?? content.context ?? undefined
  const revised = {
    task: {
      type: task.type,
      name: texts?.name ?? task.name,
      description: texts?.description ?? task.description,
    },
    context,
    actions: parts.actions ?? content.actions,
    // The deadline is a placeholder: the check of onExpire requires one, and a revision does not
    // change it.
    ...(task.onExpire !== null && { onExpire: task.onExpire, expiresInSeconds: limits.expiresInSecondsMin }),
  } as CreateTask
  const next: RevisedTask = {
    name: revised.task.name,
    description: revised.task.description,
    context: context && JSON.stringify(context),
    actions: JSON.stringify(revised.actions),
  }
  const bytes = payloadBytes(next)
  if (bytes > limits.payloadBytes) {
    throw payloadTooLarge(
      `The revised payload (task, context and actions) is ${bytes} bytes; the limit is ${limits.payloadBytes}. Send less data.`,
    )
  }
  const errors = checkRevisedPayload(revised, { patternProblem, matches })
  if (errors.length > 0) throw invalidRequest(errors)
  const isSame =
    next.name === task.name &&
    next.description === task.description &&
    next.context === (content.context === null ? undefined : JSON.stringify(content.context)) &&
    next.actions === JSON.stringify(content.actions)
  return { replaces: task.revision, next: isSame ? undefined : next }
}

/** Returns the number of the new revision; undefined if nothing changes. The caller has locked the thread. */
export async function storeRevision(
  tx: Transaction,
  task: TaskRow,
  { replaces, next }: CheckedRevision,
): Promise<number | undefined> {
  if (!next) return undefined
  if (task.revision !== replaces) {
    throw conflict('Another revision of this task was sent at the same time. Read the task and try again.')
  }
  if (task.revision >= limits.revisionsPerTask) {
    throw conflict(
      `A task may have at most ${limits.revisionsPerTask} revisions. Cancel it and send a new one in the same thread.`,
    )
  }
  if ((await measureRevisions(tx, task.id)) + payloadBytes(next) > limits.revisionsBytes) {
    throw payloadTooLarge(
      `All revisions of a task together may have at most ${limits.revisionsBytes} bytes. Cancel it and send a new one in the same thread.`,
    )
  }
  await insertRevision(tx, task, next)
  return task.revision + 1
}
