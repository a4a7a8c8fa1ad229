import type { Timeline } from '../../../contract/inbox.ts'
import { limits } from '../../../contract/limits.ts'
import { listTimeline as listTimelineRows } from '../../storage/events/timeline.ts'
import type { PersonActor } from '../actor.ts'
import { decodePosition, toPage } from '../cursor.ts'
import { notFound } from '../problems.ts'
import type { Service } from '../service.ts'

/** What happened in a thread, oldest first: tasks created and ended, updates, questions and notes. */
export async function listTimeline(
  { database }: Service,
  actor: PersonActor,
  threadId: string,
  input: { limit?: number | undefined; cursor?: string | undefined },
): Promise<Timeline> {
  const size = input.limit ?? limits.pageMax
  const position = decodePosition(input.cursor)
  const after = position && { at: position.at, key: position.id }
  const found = await database.inWorkspace(actor.workspaceId, (tx) =>
    listTimelineRows(tx, threadId, after, size + 1),
  )
  // Every thread begins with a task.
  if (found.length === 0 && !after) throw notFound('thread')
  const { rows, nextCursor } = toPage(found, size, (row) => [row.at.toISOString(), row.key])
  return {
    entries: rows.map((row) => ({
      taskId: row.taskId,
      at: row.at.toISOString(),
      kind: row.kind,
      taskName: row.taskName,
      ...(row.app !== null && { app: row.app }),
      ...(row.by !== null && { by: row.by }),
      ...(row.decidedBy !== null && { decidedBy: row.decidedBy }),
      ...(row.ruleId !== null && { ruleId: row.ruleId }),
      ...(row.message !== null && { message: row.message }),
      ...(row.level !== null && { level: row.level }),
      ...(row.progress !== null && { progress: row.progress }),
      ...(row.questionId !== null && { questionId: row.questionId }),
      ...(row.questionKind !== null && { questionKind: row.questionKind }),
      ...(row.revision !== null && { revision: row.revision }),
      ...(row.actionId !== null && { actionId: row.actionId }),
      ...(row.actionTitle !== null && { actionTitle: row.actionTitle }),
      ...(row.assignedTo !== null && { assignedTo: row.assignedTo }),
    })),
    nextCursor,
  }
}
