import { type CreateTask, priorities, type SentOptions } from '../../../contract/task.ts'
import type { TaskRow } from '../../storage/tasks/tasks.ts'

/**
 * The request without context and actions, which have their own columns. Options added later are
 * included automatically. The assignee and the review are not: addresses are stored once, so that they can be erased.
 */
export function optionsToStore({
  context: _,
  actions: __,
  assignTo: ___,
  review: ____,
  ...options
}: CreateTask): string {
  return JSON.stringify({ ...options, task: { type: options.task.type } } satisfies SentOptions)
}

export function presentSentOptions(row: TaskRow, stored: SentOptions | null): SentOptions {
  return {
    ...(stored ?? optionsOf(row)),
    ...(row.assignedTo !== null && { assignTo: row.assignedTo }),
  }
}

/** Reconstructs the options of a task that was created before options were stored. */
function optionsOf(row: TaskRow): SentOptions {
  const { callbackUrl, expiresAt, createdAt, onExpire, metadata, version } = row
  return {
    task: { type: row.type },
    app: row.app,
    ...(version !== null && { version }),
    priority: priorities[row.priority]!,
    delivery: row.push ? 'sse' : row.delivery,
    ...(callbackUrl !== null && { callbackUrl }),
    ...(row.threadId !== row.id && { threadId: row.threadId }),
    ...(expiresAt !== null && {
      expiresInSeconds: Math.round((expiresAt.getTime() - createdAt.getTime()) / 1000),
    }),
    ...(onExpire !== null && { onExpire }),
    ...(metadata !== null && { metadata }),
  }
}
