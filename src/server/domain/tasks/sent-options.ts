import type { CreateTask, SentOptions } from '../../../contract/create-task.ts'
import type { RequestedReview } from '../../../contract/review.ts'
import { priorities } from '../../../contract/task-fields.ts'
import type { Transaction } from '../../storage/engine/database.ts'
import { findNames } from '../../storage/review/groups.ts'
import type { TaskRow } from '../../storage/tasks/tasks.ts'

/**
 * Everything in the request except texts, context and actions, which have their own columns. So an
 * option that is new in the API needs no change here. People are stored by id, so that no address
 * has to be erased: `review` has ids, and insertTasks replaces the name in `assignTo` with an id.
 */
export function optionsToStore(
  { context: _, actions: __, ...options }: CreateTask,
  review: RequestedReview | undefined,
): SentOptions {
  return { ...options, review, task: { type: options.task.type } }
}

export async function loadSentOptions(
  tx: Transaction,
  row: TaskRow,
  stored: SentOptions | null,
): Promise<SentOptions> {
  if (!stored) return optionsOf(row)
  const { assignTo, review, ...options } = stored
  const assignee = assignTo && (await findNames(tx, [assignTo])).get(assignTo)
  const named = (ids: string[]) => ids.flatMap((id) => row.reviewNames?.[id] ?? [])
  return {
    ...options,
    ...(review && {
      review: {
        ...review,
        ...(review.by && { by: named(review.by) }),
        ...(review.notBy && { notBy: named(review.notBy) }),
      },
    }),
    // The assignee is undefined if the member has left or the group was deleted.
    ...(assignee !== undefined && { assignTo: assignee }),
  }
}

/**
 * The options of a task without stored ones: a task of `handrail demo`, or one from before options
 * were stored. They are the task's current values, without the assignee, whom anyone may have
 * changed.
 */
function optionsOf(row: TaskRow): SentOptions {
  const { callbackUrl, expiresAt, createdAt, onExpire, metadata, version } = row
  return {
    task: { type: row.type },
    app: row.app,
    ...(version !== null && { version }),
    priority: priorities[row.priority]!,
    delivery: row.pushesToMcp ? 'sse' : row.delivery,
    ...(callbackUrl !== null && { callbackUrl }),
    ...(row.acceptsQuestions && { acceptsQuestions: true }),
    ...(row.threadId !== row.id && { threadId: row.threadId }),
    ...(expiresAt !== null && {
      expiresInSeconds: Math.round((expiresAt.getTime() - createdAt.getTime()) / 1000),
    }),
    ...(onExpire !== null && { onExpire }),
    ...(metadata !== null && { metadata }),
  }
}
