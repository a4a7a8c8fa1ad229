import { type RawBuilder, sql } from 'kysely'
import type { NoteKind } from '../../../contract/note.ts'
import type { QuestionKind } from '../../../contract/question.ts'
import type { DecidedBy } from '../../../contract/task-answer.ts'
import type { Transaction } from '../engine/database.ts'
import type { Schema } from '../engine/schema.ts'
import { assigneeName } from '../tasks/assignee-name.ts'

type Sql = RawBuilder<unknown>

export type TimelineRow = {
  at: Date
  taskId: string
  kind: 'created' | 'update' | 'question' | NoteKind | 'handled' | 'cancelled' | 'expired'
  /** Breaks ties of `at`: the creation of a task sorts before its other entries, its end after them. */
  key: string
  taskName: string
  /** Only with kind created. */
  app: string | null
  by: string | null
  decidedBy: DecidedBy | null
  ruleId: string | null
  message: string | null
  level: Schema['taskUpdates']['level'] | null
  progress: number | null
  actionId: string | null
  actionTitle: string | null
  questionId: string | null
  questionKind: QuestionKind | null
  revision: number | null
  assignedTo: string | null
}

/**
 * The timeline of a thread, oldest first: tasks created and ended, their updates, questions and
 * notes. Reads at most one page of each kind from its own index, so the cost does not grow with the
 * thread.
 */
export async function listTimeline(
  tx: Transaction,
  threadId: string,
  after: { at: string; key: string } | undefined,
  limit: number,
): Promise<TimelineRow[]> {
  const { workspaceId } = tx
  /** The next entries of one kind. The first condition is the index range, the second breaks ties. */
  const next = (at: Sql, key: Sql) => sql`
    ${after ? sql`AND ${at} >= ${after.at}::timestamptz AND (${at}, ${key}) > (${after.at}::timestamptz, ${after.key})` : sql``}
    ORDER BY ${at}, ${key} LIMIT ${limit}`
  const { rows } = await sql<TimelineRow>`
    SELECT * FROM (
      (SELECT created_at AS at, id AS task_id, 'created' AS kind, id || '/0' AS key, name AS task_name, NULL AS by,
        NULL AS decided_by, NULL AS message, NULL AS level, NULL::double precision AS progress, NULL AS action_id, NULL AS action_title,
        NULL AS question_id, NULL AS question_kind, NULL::integer AS revision, NULL AS assigned_to, NULL AS rule_id, app
      FROM tasks WHERE workspace_id = ${workspaceId} AND thread_id = ${threadId}
      ${next(sql`created_at`, sql`(id || '/0') COLLATE "C"`)})
      UNION ALL
      (SELECT u.created_at, u.task_id, 'update', u.task_id || '/1' || u.id,
        (SELECT name FROM tasks WHERE tasks.id = u.task_id), NULL, NULL, u.message, u.level, u.progress, NULL, NULL,
        u.question_id, NULL, u.revision, NULL, NULL, NULL
      FROM task_updates u WHERE u.workspace_id = ${workspaceId} AND u.thread_id = ${threadId}
      ${next(sql`u.created_at`, sql`(u.task_id || '/1' || u.id) COLLATE "C"`)})
      UNION ALL
      (SELECT q.created_at, q.task_id, 'question', q.task_id || '/1' || q.id,
        (SELECT name FROM tasks WHERE tasks.id = q.task_id), q.asked_by, NULL, q.text, NULL, NULL, NULL, NULL, q.id, q.kind, NULL, NULL, NULL,
        NULL
      FROM task_questions q WHERE q.workspace_id = ${workspaceId} AND q.thread_id = ${threadId}
      ${next(sql`q.created_at`, sql`(q.task_id || '/1' || q.id) COLLATE "C"`)})
      UNION ALL
      (SELECT n.created_at, n.task_id, n.kind, n.task_id || '/1' || n.id,
        (SELECT name FROM tasks WHERE tasks.id = n.task_id), n.written_by, NULL, nullif(n.text, ''), NULL, NULL, NULL, NULL, NULL, NULL, NULL,
        ${assigneeName(sql`n.assigned_to`)}, NULL, NULL
      FROM task_notes n WHERE n.workspace_id = ${workspaceId} AND n.thread_id = ${threadId}
      ${next(sql`n.created_at`, sql`(n.task_id || '/1' || n.id) COLLATE "C"`)})
      UNION ALL
      (SELECT ended_at, id, status, id || '/2', name, handled_by,
        decided_by, cancel_reason, NULL, NULL, action_id, action_title, NULL, NULL, NULL, NULL, rule_id, NULL
      FROM tasks WHERE workspace_id = ${workspaceId} AND thread_id = ${threadId} AND status <> 'open'
      ${next(sql`ended_at`, sql`(id || '/2') COLLATE "C"`)})
    ) entries
    ORDER BY at, key COLLATE "C" LIMIT ${limit}`.execute(tx.db)
  return rows
}
