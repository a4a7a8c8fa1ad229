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
