import { sql } from 'kysely'
import type { RuleDisagreement } from '../../../contract/rules/rule.ts'
import type { Context } from '../../../contract/task-fields.ts'
import type { Database, Transaction } from '../engine/database.ts'
import type { Schema } from '../engine/schema.ts'

/**
 * Across all workspaces: samples that are not judged yet and whose task has ended or was revised,
 * roughly in the order in which that happened.
 */
export async function findSamplesToJudge(
  database: Database,
  limit: number,
): Promise<{ workspaceId: string; taskId: string; ruleId: string }[]> {
  return await database.allWorkspaces(async (db) => {
    const { rows } = await sql<{ workspaceId: string; taskId: string; ruleId: string }>`
      SELECT s.workspace_id, s.task_id, s.rule_id FROM rule_samples s JOIN tasks t ON t.id = s.task_id
      WHERE s.judged_at IS NULL AND (t.status <> 'open' OR t.revision > 1)
      ORDER BY coalesce(t.ended_at, t.updated_at), s.task_id LIMIT ${limit}`.execute(db)
    return rows
  })
}

/**
 * How the task of a sample ended. Column and API call it `outcome`; it is not the outcome of an
 * action.
 */
export type SampleEnding = RuleDisagreement['outcome']

/**
 * A sample that is not judged yet. `generation` increases whenever the evidence of the rule is
 * reset; samples of an earlier generation do not count.
 */
type OpenSample = { kind: Schema['ruleSamples']['kind']; generation: number }

/** Undefined if the task has no open sample: another process may have judged it. */
export function findOpenSample(tx: Transaction, taskId: string): Promise<OpenSample | undefined> {
  return tx.db
    .selectFrom('ruleSamples')
    .select(['kind', 'generation'])
    .where('workspaceId', '=', tx.workspaceId)
    .where('taskId', '=', taskId)
    .where('judgedAt', 'is', null)
    .executeTakeFirst()
}

export async function setJudged(
  tx: Transaction,
  taskId: string,
  ending: SampleEnding,
  agrees: boolean,
): Promise<void> {
  await tx.db
    .updateTable('ruleSamples')
    .set({ outcome: ending, agrees, judgedAt: sql<Date>`app_now()` })
    .where('workspaceId', '=', tx.workspaceId)
    .where('taskId', '=', taskId)
    .execute()
}

export async function deleteSample(tx: Transaction, taskId: string): Promise<void> {
  await tx.db
    .deleteFrom('ruleSamples')
    .where('workspaceId', '=', tx.workspaceId)
    .where('taskId', '=', taskId)
    .execute()
}

/**
 * Whether another sample of the rule was already judged whose task has the same version and was
 * answered in bulk together with this one, by the same person.
 */
export async function isBulkJudged(
  { db, workspaceId }: Transaction,
  ruleId: string,
  taskId: string,
): Promise<boolean> {
  const { rows } = await sql`
    SELECT FROM tasks t
    JOIN tasks other ON other.workspace_id = ${workspaceId} AND other.app = t.app AND other.type = t.type AND other.status = 'handled'
      AND other.ended_at BETWEEN t.ended_at - interval '1 hour' AND t.ended_at + interval '1 hour'
      AND other.bulk_id = t.bulk_id AND other.handled_by = t.handled_by AND other.version IS NOT DISTINCT FROM t.version AND other.id <> t.id
    JOIN rule_samples s ON s.task_id = other.id AND s.rule_id = ${ruleId} AND s.judged_at IS NOT NULL
    WHERE t.workspace_id = ${workspaceId} AND t.id = ${taskId} AND t.bulk_id IS NOT NULL LIMIT 1`.execute(db)
  return rows.length > 0
}

/** The newest `limit` samples that count for the current evidence, oldest first. */
export async function listJudged(
  { db, workspaceId }: Transaction,
  { id, generation }: { id: string; generation: number },
  limit: number,
): Promise<{ at: Date; agrees: boolean }[]> {
  const { rows } = await sql<{ at: Date; agrees: boolean }>`
    SELECT judged_at AS at, agrees FROM rule_samples
    WHERE workspace_id = ${workspaceId} AND rule_id = ${id} AND kind = 'sample' AND generation = ${generation} AND judged_at IS NOT NULL
    ORDER BY judged_at DESC, task_id DESC LIMIT ${limit}`.execute(db)
  return rows.reverse()
}

export type DisagreementRow = {
  taskId: string
  name: string
  version: string | null
  at: Date
  ending: SampleEnding
  actionTitle: string | null
  answer: Record<string, unknown> | null
  handledBy: string | null
  context: Context | null
  isContentDeleted: boolean
}

/**
 * The samples that disagree with the rule, newest first: those that count for the current evidence,
 * and those of new versions. A revised task that is still open is left out, because the people who
 * will answer it should not see what the rule would have answered.
 */
export async function listDisagreements(
  { db, workspaceId }: Transaction,
  { id, generation }: { id: string; generation: number },
  limit: number,
): Promise<DisagreementRow[]> {
  const { rows } = await sql<DisagreementRow>`
    SELECT t.id AS task_id, t.name, t.version, s.judged_at AS at, s.outcome AS ending, t.action_title, t.answer, t.handled_by, c.context,
      t.content_deleted_at IS NOT NULL AS is_content_deleted
    FROM rule_samples s
    JOIN tasks t ON t.workspace_id = ${workspaceId} AND t.id = s.task_id AND t.status <> 'open'
    LEFT JOIN task_contents c ON c.workspace_id = ${workspaceId} AND c.task_id = s.task_id
    WHERE s.workspace_id = ${workspaceId} AND s.rule_id = ${id} AND s.generation = ${generation}
      AND s.judged_at IS NOT NULL AND NOT s.agrees
    ORDER BY s.judged_at DESC, s.task_id DESC LIMIT ${limit}`.execute(db)
  return rows
}

/**
 * The newest samples that count for the current evidence and disagree, also revised tasks that are
 * still open.
 */
export async function listDisagreeingSampleIds(
  { db, workspaceId }: Transaction,
  { id, generation }: { id: string; generation: number },
  limit: number,
): Promise<string[]> {
  const { rows } = await sql<{ taskId: string }>`
    SELECT task_id FROM rule_samples
    WHERE workspace_id = ${workspaceId} AND rule_id = ${id} AND kind = 'sample' AND generation = ${generation}
      AND judged_at IS NOT NULL AND NOT agrees
    ORDER BY judged_at DESC, task_id DESC LIMIT ${limit}`.execute(db)
  return rows.map(({ taskId }) => taskId)
}

/** How many tasks the rule answered in the day before it paused. */
export async function countBeforePause(
  { db, workspaceId }: Transaction,
  ruleId: string,
  pausedAt: Date,
): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    SELECT count(*)::int AS count FROM tasks WHERE workspace_id = ${workspaceId} AND rule_id = ${ruleId}
      AND ended_at > ${pausedAt}::timestamptz - interval '1 day'`.execute(db)
  return rows[0]!.count
}
