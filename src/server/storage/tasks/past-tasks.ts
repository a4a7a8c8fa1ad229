import { sql } from 'kysely'
import type { QuestionKind } from '../../../contract/question.ts'
import type { Via } from '../../../contract/task-answer.ts'
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
  edits: object[] | null
  editLevel: string | null
  cancelReason: string | null
  context: object | null
  actions: object[]
  updates: PastUpdate[]
  /** All of them have a reply. */
  questions: PastQuestion[]
  /** Earlier revisions, oldest first. */
  revisions: EarlierRevision[]
}

type PastUpdate = {
  id: string
  message: string
  level: string
  progress: number | null
  createdAt: Date
  questionId?: string
  revision?: number | undefined
}

type PastQuestion = {
  id: string
  kind: QuestionKind
  text: string
  askedBy: string
  askedById: string
  createdAt: Date
  updateId: string
}

type EarlierRevision = {
  name: string
  description: string
  context: object | null
  actions: object[]
  replacedAt: Date
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

/**
 * Inserts tasks with their contents, updates, questions, revisions, search texts and threads, in
 * one statement.
 */
export async function insertPastTasks({ db, workspaceId }: Transaction, tasks: PastTask[]): Promise<void> {
  const rows = tasks.map(({ questions, revisions, ...task }) => {
    const latestUpdate = task.updates.at(-1)
    return {
      ...task,
      updatedAt: task.endedAt ?? latestUpdate?.createdAt ?? task.createdAt,
      updateCount: task.updates.length,
      latestUpdateId: latestUpdate?.id ?? null,
      questions: questions.map((question, index) => ({ ...question, number: index + 1 })),
      questionCount: questions.length,
      latestQuestionId: questions.at(-1)?.id ?? null,
      revisions: revisions.map((earlier, index) => ({ ...earlier, revision: index + 1 })),
      revision: revisions.length + 1,
      words: documentWords(workspaceId, task.type, task.name, task.description),
    }
  })
  await sql`
    WITH input AS (
      SELECT * FROM json_to_recordset(${JSON.stringify(rows)}::json) AS t (
        "id" text, "threadId" text, "status" text, "app" text, "type" text, "name" text, "description" text, "version" text,
        "priority" smallint, "createdBy" text, "createdAt" timestamptz, "updatedAt" timestamptz, "expiresAt" timestamptz,
        "onExpire" json, "acceptsQuestions" boolean, "endedAt" timestamptz, "actionId" text, "actionTitle" text,
        "answer" json, "handledBy" text, "handledById" text, "decidedBy" text, "via" text, "presented" json, "edits" json, "editLevel" text,
        "cancelReason" text, "context" json, "actions" json, "updates" json, "updateCount" integer, "latestUpdateId" text,
        "questions" json, "questionCount" smallint, "latestQuestionId" text, "revisions" json, "revision" integer, "words" json)
    ),
    threads AS (
      INSERT INTO threads (workspace_id, id, open_count, rank, oldest_open_at)
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
      INSERT INTO task_updates (workspace_id, id, task_id, thread_id, message, level, progress, created_at, question_id, revision)
      SELECT ${workspaceId}, u."id", input."id", "threadId", u."message", u."level", u."progress", u."createdAt",
        u."questionId", u."revision"
      FROM input, json_to_recordset("updates") AS u ("id" text, "message" text, "level" text,
        "progress" double precision, "createdAt" timestamptz, "questionId" text, "revision" integer)
    ),
    questions AS (
      INSERT INTO task_questions (workspace_id, id, task_id, thread_id, number, kind, text, asked_by, asked_by_id, created_at, update_id)
      SELECT ${workspaceId}, q."id", input."id", "threadId", q."number", q."kind", q."text", q."askedBy", q."askedById",
        q."createdAt", q."updateId"
      FROM input, json_to_recordset("questions") AS q ("id" text, "number" smallint, "kind" text, "text" text,
        "askedBy" text, "askedById" text, "createdAt" timestamptz, "updateId" text)
    ),
    revisions AS (
      INSERT INTO task_revisions (workspace_id, task_id, revision, name, description, context, actions, replaced_at)
      SELECT ${workspaceId}, input."id", r."revision", r."name", r."description", r."context", r."actions", r."replacedAt"
      FROM input, json_to_recordset("revisions") AS r ("revision" integer, "name" text, "description" text,
        "context" json, "actions" json, "replacedAt" timestamptz)
    )
    INSERT INTO tasks (workspace_id, id, thread_id, status, app, type, name, description, version, priority, delivery,
      created_by, created_at, updated_at, expires_at, on_expire, accepts_questions, ended_at, action_id, action_title,
      answer, handled_by, handled_by_id, decided_by, via, presented, edits, edit_level, cancel_reason, update_count,
      latest_update_id, question_count, latest_question_id, revision)
    SELECT ${workspaceId}, "id", "threadId", "status", "app", "type", "name", "description", "version", "priority", 'poll',
      "createdBy", "createdAt", "updatedAt", "expiresAt", "onExpire", "acceptsQuestions", "endedAt", "actionId", "actionTitle",
      "answer", "handledBy", "handledById", "decidedBy", "via", "presented", "edits", "editLevel", "cancelReason", "updateCount",
      "latestUpdateId", "questionCount", "latestQuestionId", "revision"
    FROM input`.execute(db)
}
