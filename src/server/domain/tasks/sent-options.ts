import type { RequestedReview } from '../../../contract/review.ts'
import { type CreateTask, priorities, type SentOptions } from '../../../contract/task.ts'
import type { TaskRow } from '../../storage/tasks/tasks.ts'

/**
 * The request without context and actions, which have their own columns. Options added later are
 * included automatically. Addresses are stored once, so that they can be erased: the assignee is left out, and the review has ids.
 */
export function optionsToStore(
  { context: _, actions: __, assignTo: ___, ...options }: CreateTask,
  review: RequestedReview | undefined,
): string {
  return JSON.stringify({ ...options, review, task: { type: options.task.type } } satisfies SentOptions)
}

export function presentSentOptions(row: TaskRow, stored: SentOptions | null): SentOptions {
  const named = (ids: string[]) => ids.flatMap((id) => row.reviewNames?.[id] ?? [])
  const review = stored?.review
  return {
    ...(stored ?? optionsOf(row)),
    ...(review && {
      review: {
        ...review,
        ...(review.by && { by: named(review.by) }),
        ...(review.notBy && { notBy: named(review.notBy) }),
      },
    }),
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
