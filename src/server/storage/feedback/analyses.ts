import { type SqlBool, sql } from 'kysely'
import type { AnalysisResult } from '../../../contract/feedback-analysis.ts'
import { newId } from '../../lib/ids.ts'
import type { Database, Transaction } from '../engine/database.ts'
import type { PagePosition } from '../tasks/tasks.ts'

/** The wake-up topic of the workers that run analyses. */
export const analysesDue = 'analyses-due'

/**
 * The error of a run that a person cancelled. Its status is `failed`, because the API has no status
 * for cancelled runs.
 */
export const cancelledError = 'cancelled'

/** Earlier releases stored a sentence. */
export function isCancelledError(error: string | null): boolean {
  return error === cancelledError || error === 'it was cancelled.'
}

export type AppAndType = { app: string; type: string }

function selectAnalyses({ db, workspaceId }: Transaction) {
  return db
    .selectFrom('analyses')
    .leftJoin('users as starter', 'starter.id', 'analyses.startedBy')
    .select([
      'analyses.id',
      'analyses.workspaceId',
      'analyses.app',
      'analyses.type',
      'analyses.status',
      'analyses.createdAt',
      'analyses.endedAt',
      'analyses.periodStart',
      'analyses.periodEnd',
      'analyses.tasksRead',
      'analyses.tasksToRead',
      'analyses.taskCount',
      'analyses.isHealthy',
      'analyses.summary',
      'analyses.recommendation',
      'analyses.agentInstructions',
      'analyses.analyst',
      'analyses.note',
      'analyses.message as tooFewMessage',
      'analyses.error',
      'starter.email as startedBy',
    ])
    .where('analyses.workspaceId', '=', workspaceId)
    .orderBy('analyses.createdAt', 'desc')
    .orderBy('analyses.id', 'desc')
}

export type AnalysisRow = Awaited<ReturnType<ReturnType<typeof selectAnalyses>['executeTakeFirstOrThrow']>>

/**
 * Starts a run, unless one for this app and type has not ended. Returns the new or the existing
 * run.
 */
export async function startAnalysis(
  tx: Transaction,
  { app, type }: AppAndType,
  startedBy: string,
  windowDays: number,
): Promise<AnalysisRow> {
  await tx.db
    .insertInto('analyses')
    .values({
      id: newId('analysis'),
      workspaceId: tx.workspaceId,
      app,
      type,
      startedBy,
      periodStart: sql<Date>`app_now() - make_interval(days => ${windowDays})`,
      periodEnd: sql<Date>`app_now()`,
      endedAt: null,
      leasedUntil: null,
      leasedBy: null,
      isHealthy: null,
      analyst: null,
      note: null,
      error: null,
    })
    .onConflict((conflict) =>
      conflict
        .columns(['workspaceId', 'app', 'type'])
        .where('status', 'in', ['pending', 'running'])
        .doNothing(),
    )
    .execute()
  tx.wakeUp(analysesDue)
  return (await findLatest(tx, { app, type }))!
}

export function findLatest(tx: Transaction, { app, type }: AppAndType): Promise<AnalysisRow | undefined> {
  return selectAnalyses(tx)
    .where('analyses.app', '=', app)
    .where('analyses.type', '=', type)
    .limit(1)
    .executeTakeFirst()
}

export async function lastCompletedAt(tx: Transaction, { app, type }: AppAndType): Promise<Date | undefined> {
  const row = await tx.db
    .selectFrom('analyses')
    .select('endedAt')
    .where('workspaceId', '=', tx.workspaceId)
    .where('app', '=', app)
    .where('type', '=', type)
    .where('status', '=', 'completed')
    .orderBy('createdAt', 'desc')
    .limit(1)
    .executeTakeFirst()
  return row?.endedAt ?? undefined
}

export function findAnalysis(tx: Transaction, id: string): Promise<AnalysisRow | undefined> {
  return selectAnalyses(tx).where('analyses.id', '=', id).executeTakeFirst()
}

export type AnalysisVerdict = AppAndType & { isHealthy: boolean; tooFew: boolean; endedAt: Date }

/**
 * The verdict of the latest completed run of each app and type, among runs of the last 30 days. At
 * most 1,000.
 */
export async function listLatestVerdicts({ db, workspaceId }: Transaction): Promise<AnalysisVerdict[]> {
  const { rows } = await sql<AnalysisVerdict>`
    SELECT DISTINCT ON (app, type) app, type, is_healthy, message IS NOT NULL AS too_few, ended_at
    FROM analyses
    WHERE workspace_id = ${workspaceId} AND status = 'completed' AND created_at >= app_now() - interval '30 days'
    ORDER BY app, type, created_at DESC LIMIT 1000`.execute(db)
  return rows
}

/** The result of a run. Undefined if there is no such run or it has no result. */
export async function findResult(
  { db, workspaceId }: Transaction,
  id: string,
): Promise<AnalysisResult | undefined> {
  const row = await db
    .selectFrom('analyses')
    .select('result')
    .where('workspaceId', '=', workspaceId)
    .where('id', '=', id)
    .executeTakeFirst()
  return row?.result ?? undefined
}

/** The latest completed run of the app and type that has a result. */
export async function latestResult({ db, workspaceId }: Transaction, { app, type }: AppAndType) {
  const row = await db
    .selectFrom('analyses')
    .select(['id', 'endedAt', 'isHealthy', 'result'])
    .where('workspaceId', '=', workspaceId)
    .where('app', '=', app)
    .where('type', '=', type)
    .where('status', '=', 'completed')
    .where('result', 'is not', null)
    .orderBy('createdAt', 'desc')
    .limit(1)
    .executeTakeFirst()
  return row && { ...row, endedAt: row.endedAt!, result: row.result! }
}

export function listAnalyses(
  tx: Transaction,
  filters: { app?: string | undefined; type?: string | undefined },
  before: PagePosition | undefined,
  limit: number,
): Promise<AnalysisRow[]> {
  let query = selectAnalyses(tx).limit(limit)
  if (filters.app) query = query.where('analyses.app', '=', filters.app)
  if (filters.type) query = query.where('analyses.type', '=', filters.type)
  if (before)
    query = query.where(
      sql<SqlBool>`(analyses.created_at, analyses.id) < (${before.at}::timestamptz, ${before.id})`,
    )
  return query.execute()
}

/** Ends a run as failed. Returns false if it had already ended. */
export async function failUnfinished(tx: Transaction, id: string, error: string): Promise<boolean> {
  const ended = await tx.db
    .updateTable('analyses')
    .set({ status: 'failed', error, endedAt: sql<Date>`app_now()`, leasedBy: null, leasedUntil: null })
    .where('workspaceId', '=', tx.workspaceId)
    .where('id', '=', id)
    .where('status', 'in', ['pending', 'running'])
    .returning('id')
    .executeTakeFirst()
  return ended !== undefined
}

export type DueAnalysis = AppAndType & {
  id: string
  workspaceId: string
  periodStart: Date
  periodEnd: Date
  attemptCount: number
}

/**
 * Claims runs that no worker has a lease on, oldest first. Across all nodes, at most one run per
 * workspace has a lease.
 */
export async function claimAnalyses(
  database: Database,
  { worker, limit, leaseSeconds }: { worker: string; limit: number; leaseSeconds: number },
): Promise<DueAnalysis[]> {
  return await database.allWorkspaces(async (db) => {
    const { rows } = await sql<DueAnalysis>`
      WITH due AS (
        SELECT DISTINCT ON (a.workspace_id) a.id, a.created_at FROM analyses a
        WHERE a.status IN ('pending', 'running') AND (a.leased_until IS NULL OR a.leased_until <= app_now())
          AND NOT EXISTS (SELECT FROM analyses b WHERE b.workspace_id = a.workspace_id
            AND b.status IN ('pending', 'running') AND b.leased_until > app_now())
        ORDER BY a.workspace_id, a.created_at
      ),
      claimable AS (
        SELECT id FROM analyses WHERE id IN (SELECT id FROM due ORDER BY created_at LIMIT ${limit})
          AND status IN ('pending', 'running') AND (leased_until IS NULL OR leased_until <= app_now())
        FOR UPDATE SKIP LOCKED
      )
      UPDATE analyses a SET status = 'running', leased_by = ${worker}, attempt_count = attempt_count + 1,
        leased_until = app_now() + make_interval(secs => ${leaseSeconds})
      FROM claimable WHERE a.id = claimable.id
      RETURNING a.id, a.workspace_id, a.app, a.type, a.period_start, a.period_end, a.attempt_count`.execute(
      db,
    )
    return rows
  })
}

export async function renewAnalyses(
  database: Database,
  worker: string,
  ids: string[],
  leaseSeconds: number,
): Promise<void> {
  await database.allWorkspaces((db) =>
    sql`UPDATE analyses SET leased_until = app_now() + make_interval(secs => ${leaseSeconds})
      WHERE id = ANY (${ids}::text[]) AND leased_by = ${worker} AND status = 'running'`.execute(db),
  )
}

type AnalysisChange = {
  status?: 'completed'
  attemptCount?: number
  tasksRead?: number
  tasksToRead?: number
  taskCount?: number
  isHealthy?: boolean
  summary?: string
  recommendation?: string
  agentInstructions?: string
  result?: string
  analyst?: string
  note?: string | null
  message?: string | null
  leasedUntil?: null
}

/**
 * Changes a run that the worker has claimed. Returns false if it was cancelled or another worker
 * has claimed it.
 */
export async function updateClaimed(
  tx: Transaction,
  id: string,
  worker: string,
  change: AnalysisChange,
): Promise<boolean> {
  const changed = await tx.db
    .updateTable('analyses')
    .set({
      ...change,
      ...(change.status && { endedAt: sql<Date>`app_now()`, leasedUntil: null, leasedBy: null }),
    })
    .where('workspaceId', '=', tx.workspaceId)
    .where('id', '=', id)
    .where('leasedBy', '=', worker)
    .where('status', '=', 'running')
    .returning('id')
    .executeTakeFirst()
  return changed !== undefined
}

export async function isClaimedBy(tx: Transaction, id: string, worker: string): Promise<boolean> {
  const row = await tx.db
    .selectFrom('analyses')
    .select('id')
    .where('workspaceId', '=', tx.workspaceId)
    .where('id', '=', id)
    .where('leasedBy', '=', worker)
    .where('status', '=', 'running')
    .executeTakeFirst()
  return row !== undefined
}

const taskIdPattern = /tsk_[0-9a-z]{26}/g

type Texts = {
  summary: string
  recommendation: string
  agentInstructions: string
  result: AnalysisResult | null
}

/**
 * Each quote in a text is one line that contains the id of its task, so whole lines are removed.
 */
function withoutQuotesOf(texts: Texts, taskIds: string[]): Texts {
  const withoutLines = (text: string) =>
    text
      .split('\n')
      .filter((line) => !taskIds.some((id) => line.includes(id)))
      .join('\n')
  return {
    summary: withoutLines(texts.summary),
    recommendation: withoutLines(texts.recommendation),
    agentInstructions: withoutLines(texts.agentInstructions),
    result: texts.result && withoutTasks(texts.result, new Set(taskIds)),
  }
}

function withoutTasks(result: AnalysisResult, ids: Set<string>): AnalysisResult {
  return {
    ...result,
    findings: result.findings.map((finding) => ({
      ...finding,
      quotes: finding.quotes.filter(({ taskId }) => !ids.has(taskId)),
      taskIds: finding.taskIds.filter((id) => !ids.has(id)),
      taskPairs: finding.taskPairs.filter(
        ({ negative, positive }) => !ids.has(negative.taskId) && !ids.has(positive.taskId),
      ),
    })),
  }
}

/**
 * Removes what completed analyses quote from these tasks. Locks the analyses, because an erasure
 * may rewrite them at the same time.
 */
export async function removeQuotes(
  { db, workspaceId }: Transaction,
  tasks: (AppAndType & { id: string; endedAt: Date })[],
): Promise<void> {
  const ids = tasks.map(({ id }) => id)
  const ends = tasks.map(({ endedAt }) => endedAt.getTime())
  const { rows } = await sql<Texts & { id: string }>`
    SELECT id, summary, recommendation, agent_instructions, result FROM analyses
    WHERE workspace_id = ${workspaceId} AND status = 'completed'
      AND (app, type) IN (SELECT * FROM unnest(${tasks.map(({ app }) => app)}::text[], ${tasks.map(({ type }) => type)}::text[]))
      AND period_end >= ${new Date(Math.min(...ends))} AND period_start <= ${new Date(Math.max(...ends))}
      AND (summary || recommendation || agent_instructions || coalesce(result::text, '')) ~ ${ids.join('|')}
    ORDER BY id FOR UPDATE`.execute(db)
  for (const { id, ...texts } of rows) {
    const { result, ...rest } = withoutQuotesOf(texts, ids)
    await db
      .updateTable('analyses')
      .set({ ...rest, result: result && JSON.stringify(result) })
      .where('workspaceId', '=', workspaceId)
      .where('id', '=', id)
      .execute()
  }
}

/**
 * The texts and findings of a run that is about to be completed, without quotes from tasks whose
 * content was deleted since it was read. Locks the tasks until the commit: a later deletion sees
 * the completed run and removes the quotes itself.
 */
export async function withoutDeletedQuotes<T extends Texts>(
  { db, workspaceId }: Transaction,
  texts: T,
): Promise<T> {
  const all = JSON.stringify(texts)
  const quoted = [...new Set(all.match(taskIdPattern))]
  if (quoted.length === 0) return texts
  const rows = await db
    .selectFrom('tasks')
    .select(['id', 'contentDeletedAt'])
    .where('workspaceId', '=', workspaceId)
    .where('id', 'in', quoted)
    .orderBy('id')
    .forShare()
    .execute()
  const deleted = rows.filter(({ contentDeletedAt }) => contentDeletedAt !== null).map(({ id }) => id)
  return { ...texts, ...withoutQuotesOf(texts, deleted) }
}

/**
 * Deletes the texts and the result of analyses whose period ended before the retention period,
 * because they quote content that is deleted by then. Their counts stay.
 */
export async function clearOutdatedAnalyses({ db, workspaceId }: Transaction): Promise<void> {
  await sql`
    UPDATE analyses SET summary = '', recommendation = '', agent_instructions = '', result = NULL
    WHERE workspace_id = ${workspaceId} AND status = 'completed' AND summary <> '' AND period_end <
      (SELECT app_now() - make_interval(days => w.retention_days) FROM workspaces w WHERE w.id = ${workspaceId})`.execute(
    db,
  )
}
