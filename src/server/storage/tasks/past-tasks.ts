import { sql } from 'kysely'
import type { Via } from '../../../contract/task.ts'
import { newId } from '../../lib/ids.ts'
import type { Transaction } from '../engine/database.ts'
import { documentWords } from './search-words.ts'

/** A task with past timestamps, which the API cannot create. */
export type PastTask = {
  id: string
  threadId: string
  status: 'open' | 'handled' | 'cancelled' | 'expired'
  app: string
  type: string
  name: string
  description: string
  version: string | null
  priority: number
  createdBy: string
  createdAt: Date
  expiresAt: Date | null
  onExpire: object | null
  acceptsQuestions: boolean
  endedAt: Date | null
  actionId: string | null
  actionTitle: string | null
  answer: object | null
  handledBy: string | null
  handledById: string | null
  decidedBy: 'human' | 'timeout' | null
  via: Via | null
  presented: object | null
  cancelReason: string | null
  context: object | null
  actions: object[]
  updates: { message: string; level: string; progress: number | null; createdAt: Date }[]
}

/** Serializes the creation of sample tasks in a workspace. */
export async function lockPastTasks({ db, workspaceId }: Transaction): Promise<void> {
  await sql`SELECT pg_advisory_xact_lock(hashtextextended(${`past ${workspaceId}`}, 0))`.execute(db)
}

export async function hasTasks({ db, workspaceId }: Transaction): Promise<boolean> {
  const found = await db
    .selectFrom('tasks')
    .select('id')
    .where('workspaceId', '=', workspaceId)
    .limit(1)
    .execute()
  return found.length > 0
}

/** Tasks, contents, updates, search text and the threads of open ones, in one statement. */
export async function insertPastTasks({ db, workspaceId }: Transaction, tasks: PastTask[]): Promise<void> {
  const rows = tasks.map(({ updates, ...task }) => {
    const updatesWithIds = updates.map((update) => ({
      ...update,
      id: newId('update', update.createdAt.getTime()),
    }))
    return {
      ...task,
      updatedAt: task.endedAt ?? updatesWithIds.at(-1)?.createdAt ?? task.createdAt,
      updates: updatesWithIds,
      updateCount: updatesWithIds.length,
      latestUpdateId: updatesWithIds.at(-1)?.id ?? null,
      words: documentWords(workspaceId, task.type, task.name, task.description),
    }
  })
  await sql`
    WITH input AS (
      SELECT * FROM json_to_recordset(${JSON.stringify(rows)}::json) AS t (
        "id" text, "threadId" text, "status" text, "app" text, "type" text, "name" text, "description" text, "version" text,
        "priority" smallint, "createdBy" text, "createdAt" timestamptz, "updatedAt" timestamptz, "expiresAt" timestamptz,
        "onExpire" json, "acceptsQuestions" boolean, "endedAt" timestamptz, "actionId" text, "actionTitle" text,
        "answer" json, "handledBy" text, "handledById" text, "decidedBy" text, "via" text, "presented" json, "cancelReason" text, "context" json, "actions" json,
        "updates" json, "updateCount" integer, "latestUpdateId" text, "words" json)
    ),
    threads AS (
      INSERT INTO threads AS existing (workspace_id, id, open_count, rank, oldest_open_at)
      SELECT ${workspaceId}, "threadId", count(*), min("priority"), min("createdAt") FROM input WHERE "status" = 'open'
      GROUP BY "threadId"
    ),
    contents AS (
      INSERT INTO task_contents (workspace_id, task_id, context, actions)
      SELECT ${workspaceId}, "id", "context", "actions" FROM input
    ),
    search AS (
      INSERT INTO task_search (workspace_id, task_id, created_at, document)
      SELECT ${workspaceId}, "id", "createdAt",
        array_to_tsvector(ARRAY(SELECT json_array_elements_text("words"))) FROM input
    ),
    updates AS (
      INSERT INTO task_updates (workspace_id, id, task_id, thread_id, message, level, progress, created_at)
      SELECT ${workspaceId}, u."id", input."id", "threadId", u."message", u."level", u."progress", u."createdAt"
      FROM input, json_to_recordset("updates") AS u (
        "id" text, "message" text, "level" text, "progress" double precision, "createdAt" timestamptz)
    )
    INSERT INTO tasks (workspace_id, id, thread_id, status, app, type, name, description, version, priority, delivery,
      created_by, created_at, updated_at, expires_at, on_expire, accepts_questions, ended_at, action_id, action_title,
      answer, handled_by, handled_by_id, decided_by, via, presented, cancel_reason, update_count, latest_update_id)
    SELECT ${workspaceId}, "id", "threadId", "status", "app", "type", "name", "description", "version", "priority", 'poll',
      "createdBy", "createdAt", "updatedAt", "expiresAt", "onExpire", "acceptsQuestions", "endedAt", "actionId", "actionTitle",
      "answer", "handledBy", "handledById", "decidedBy", "via", "presented", "cancelReason", "updateCount", "latestUpdateId"
    FROM input`.execute(db)
}
