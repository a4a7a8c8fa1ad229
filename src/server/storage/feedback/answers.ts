import { type RawBuilder, sql } from 'kysely'
import { limits } from '../../../contract/limits.ts'
import type { Presented } from '../../../contract/task-answer.ts'
import type { Transaction } from '../engine/database.ts'
import type { StoredAction } from '../engine/task-tables.ts'
import type { PagePosition } from '../tasks/tasks.ts'
import type { AppAndType } from './analyses.ts'

type TypeInPeriod = AppAndType & { periodStart: Date; periodEnd: Date }

/**
 * Tasks of the app and type that ended with this status in the period, without those that a rule
 * decided.
 */
export async function countEnded(
  tx: Transaction,
  status: 'handled' | 'expired',
  { app, type, periodStart, periodEnd }: TypeInPeriod,
): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    SELECT count(*)::int AS count FROM tasks WHERE workspace_id = ${tx.workspaceId} AND status = ${sql.lit(status)}
      AND app = ${app} AND type = ${type} AND rule_id IS NULL AND ended_at >= ${periodStart} AND ended_at < ${periodEnd}`.execute(
    tx.db,
  )
  return rows[0]!.count
}

const objectOr = (part: RawBuilder<unknown>) =>
  sql`CASE json_typeof(${part}) WHEN 'object' THEN ${part} ELSE '{}' END`

/**
 * Reads only the name of each compared item, and whether the sender marks it with `ours`, because
 * contexts may be large. Leaves out what an answer cannot say was presented. The data is read once,
 * and only if it is compared: its type is json, so that every access by key parses the whole text.
 */
const candidates = sql`
  (SELECT json_object_agg(compared.key, (
      SELECT coalesce(json_agg(json_build_object(
        'name', CASE json_typeof(item -> 'name') WHEN 'string' THEN left(item ->> 'name', 200) END,
        'ours', coalesce(json_typeof(item -> 'ours') = 'boolean' AND item ->> 'ours' = 'true', false))), '[]')
      FROM json_array_elements(compared.items) item))
   FROM (
     SELECT data.key, data.value AS items
     FROM (
       SELECT array_agg(key) AS keys FROM json_each(${objectOr(sql`(c.context -> 'ui')`)})
       WHERE json_typeof(value) = 'object' AND value ->> 'ui:widget' = 'compare') hints
     CROSS JOIN LATERAL json_each(CASE WHEN hints.keys IS NULL THEN '{}' ELSE ${objectOr(sql`(c.context -> 'data')`)} END) data
     WHERE data.key = ANY (hints.keys)
       AND CASE json_typeof(data.value) WHEN 'array' THEN json_array_length(data.value) <= ${sql.lit(limits.presentedItems)} ELSE false END
     LIMIT ${sql.lit(limits.presentedFields)}) compared)`

const shortValues = (prefix: string, object: RawBuilder<unknown>) => sql`
  SELECT ${prefix} || left(key, 100) AS path, value #>> '{}' AS value
  FROM json_each(${objectOr(object)})
  WHERE json_typeof(value) IN ('string', 'number', 'boolean') AND length(value::text) <= 60`

const fields = sql`
  (SELECT json_object_agg(path, value) FROM (
    ${shortValues('context.', sql`(c.context -> 'data')`)} UNION ALL ${shortValues('metadata.', sql`t.metadata`)} LIMIT 40
  ) short)`

/** One answer of a person or the deadline, and its task, as an analysis reads them. */
export type AnalyzedAnswer = {
  taskId: string
  name: string
  /** The first 500 characters. */
  description: string
  createdAt: Date
  endedAt: Date
  isContentDeleted: boolean
  version: string | null
  actionId: string
  actionTitle: string
  decidedBy: 'human' | 'timeout'
  data: Record<string, unknown>
  presented: Presented | null
  handledBy: string
  /** Shared by all tasks that a person answered together. */
  bulkId: string | null
  /**
   * At most 40 short values of the context and the metadata, by the path of their field, such as
   * `context.region`.
   */
  fields: Record<string, string> | null
  actions: StoredAction[]
  /**
   * The items of each field that a compare widget shows. `ours`: the sender marked it as its own.
   */
  candidates: Record<string, { name: string | null; ours: boolean }[]> | null
}

export type AnswerFilters = TypeInPeriod & { version?: string | undefined; handledBy?: string | undefined }

/** Small, because the forms and the answer of a task may have hundreds of KiB. */
const pageSize = 200

/**
 * At most `limit` handled tasks of an app and type, newest first, without those that a rule decided.
 * Holds one page in memory. Equal `actions` are usually the same object (see `parseCached`), so that
 * callers can cache what they derive from a form.
 */
export async function* readAnswers(
  tx: Transaction,
  filters: AnswerFilters,
  before: PagePosition | undefined,
  limit: number,
): AsyncGenerator<AnalyzedAnswer> {
  let position = before
  for (let left = limit; left > 0; left -= pageSize) {
    const rows = await readPage(tx, filters, position, Math.min(left, pageSize))
    for (const row of rows) yield { ...row, actions: parseCached(row.actions) }
    const last = rows.at(-1)
    if (!last || rows.length < pageSize) return
    position = { at: last.endedAt.toISOString(), id: last.taskId }
  }
}

async function readPage(
  tx: Transaction,
  { app, type, periodStart, periodEnd, version, handledBy }: AnswerFilters,
  before: PagePosition | undefined,
  limit: number,
) {
  const at = before?.at ?? periodEnd.toISOString()
  const { rows } = await sql<Omit<AnalyzedAnswer, 'actions'> & { actions: string }>`
    SELECT t.id AS task_id, t.name, left(t.description, 500) AS description, t.created_at, t.ended_at, t.content_deleted_at IS NOT NULL AS is_content_deleted, t.version, t.action_id, t.action_title, t.decided_by, t.answer AS data,
      t.presented, t.handled_by, t.bulk_id, ${fields} AS fields, coalesce(c.actions::text, '[]') AS actions, ${candidates} AS candidates
    FROM (
      SELECT * FROM tasks WHERE workspace_id = ${tx.workspaceId} AND status = 'handled' AND app = ${app} AND type = ${type}
        AND rule_id IS NULL AND ended_at >= ${periodStart} AND (ended_at, id) < (${at}::timestamptz, ${before?.id ?? ''})
        ${version === undefined ? sql`` : sql`AND version = ${version}`}
        ${handledBy === undefined ? sql`` : sql`AND handled_by = ${handledBy}`}
      ORDER BY ended_at DESC, id DESC LIMIT ${limit}
    ) t LEFT JOIN task_contents c ON c.task_id = t.id
    ORDER BY t.ended_at DESC, t.id DESC`.execute(tx.db)
  return rows
}

// Tasks of one type nearly always have the same actions.
const parsed = new Map<string, StoredAction[]>()
const maxParsed = 200
const maxParsedLength = 65_536

/**
 * Parses the JSON of the actions of a task. Returns the same object for the same text, as long as
 * it is cached. Long texts are not cached.
 */
export function parseCached(text: string): StoredAction[] {
  let actions = parsed.get(text)
  if (!actions) {
    actions = JSON.parse(text) as StoredAction[]
    if (text.length > maxParsedLength) return actions
    if (parsed.size >= maxParsed) parsed.delete(parsed.keys().next().value!)
    parsed.set(text, actions)
  }
  return actions
}
