import { sql } from 'kysely'
import type { NoteKind } from '../../../contract/note.ts'
import type { Transaction } from '../engine/database.ts'
import { assigneeName } from './assignee-name.ts'
import type { TaskRow } from './tasks.ts'

export type NewNote = {
  id: string
  kind: NoteKind
  text: string
  assignedTo?: string | null
  by: { id: string; email: string }
}

/**
 * Returns why the note was not added. `too-many`: the task already has `maxNotes` notes of this
 * kind. undefined: it was added.
 */
export async function insertNote(
  { db, workspaceId }: Transaction,
  task: Pick<TaskRow, 'id' | 'threadId'>,
  { id, kind, text, assignedTo = null, by }: NewNote,
  maxNotes?: number,
): Promise<'content-deleted' | 'too-many' | undefined> {
  // Locked, because deleting the content also deletes the text of notes. In a statement of its own,
  // because a statement that has waited for the lock does not count what was committed meanwhile.
  const locked = await sql`
    SELECT FROM tasks WHERE workspace_id = ${workspaceId} AND id = ${task.id} AND content_deleted_at IS NULL FOR NO KEY UPDATE`.execute(
    db,
  )
  if (locked.rows.length === 0) return 'content-deleted'
  const { rows } = await sql`
    INSERT INTO task_notes (id, workspace_id, task_id, thread_id, kind, text, assigned_to, written_by, written_by_id)
    SELECT ${id}, ${workspaceId}, ${task.id}, ${task.threadId}, ${kind}, ${text}, ${assignedTo}, ${by.email}, ${by.id}
    WHERE ${maxNotes ?? null}::integer IS NULL
      OR (SELECT count(*) FROM task_notes WHERE workspace_id = ${workspaceId} AND task_id = ${task.id} AND kind = ${kind}) < ${maxNotes ?? null}::integer
    RETURNING id`.execute(db)
  return rows.length > 0 ? undefined : 'too-many'
}

export type NoteRow = {
  id: string
  kind: NoteKind
  text: string
  by: string
  at: Date
  assignedTo: string | null
}

/** Oldest first. */
export async function listNotes({ db, workspaceId }: Transaction, taskId: string): Promise<NoteRow[]> {
  const { rows } = await sql<NoteRow>`
    SELECT n.id, n.kind, n.text, n.written_by AS by, n.created_at AS at, ${assigneeName(sql`n.assigned_to`)} AS assigned_to
    FROM task_notes n WHERE n.workspace_id = ${workspaceId} AND n.task_id = ${taskId} ORDER BY n.created_at, n.id`.execute(
    db,
  )
  return rows
}
