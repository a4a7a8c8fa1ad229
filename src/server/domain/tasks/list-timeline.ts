import type { Timeline } from '../../../contract/inbox.ts'
import { limits } from '../../../contract/limits.ts'
import { listTimeline as listTimelineRows } from '../../storage/events/timeline.ts'
import type { PersonActor } from '../actor.ts'
import { decodeCursor, encodeCursor } from '../cursor.ts'
import { notFound } from '../problems.ts'
import type { Service } from '../service.ts'

/** Updates and events of a thread, oldest first. */
export async function listTimeline(
  { database }: Service,
  actor: PersonActor,
  threadId: string,
  input: { limit?: number | undefined; cursor?: string | undefined },
): Promise<Timeline> {
  const size = input.limit ?? limits.pageMax
  const [at, key] = input.cursor === undefined ? [] : (decodeCursor(input.cursor, 'ts') as [string, string])
  const after = at !== undefined && key !== undefined ? { at, key } : undefined
  const rows = await database.inWorkspace(actor.workspaceId, (tx) =>
    listTimelineRows(tx, threadId, after, size + 1),
  )
  // Every thread begins with a task.
  if (rows.length === 0 && !after) throw notFound('thread')
  const page = rows.slice(0, size)
  const last = page.at(-1)
  return {
    entries: page.map((row) => ({
      taskId: row.taskId,
      at: row.at.toISOString(),
      kind: row.kind,
      taskName: row.taskName,
      ...(row.by !== null && { by: row.by }),
      ...(row.message !== null && { message: row.message }),
      ...(row.level !== null && { level: row.level }),
      ...(row.progress !== null && { progress: row.progress }),
      ...(row.actionId !== null && { actionId: row.actionId }),
      ...(row.actionTitle !== null && { actionTitle: row.actionTitle }),
    })),
    nextCursor: rows.length > size && last ? encodeCursor([last.at.toISOString(), last.key]) : null,
  }
}
