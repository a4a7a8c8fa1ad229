import type {
  AnalysisDetail,
  AnalysisPage,
  AnalysisRun,
  ListAnalyses,
  StartAnalysis,
} from '../../../contract/feedback-analysis.ts'
import { limits } from '../../../contract/limits.ts'
import {
  cancelledError,
  failUnfinished,
  findAnalysis,
  findResult,
  listAnalyses as listRows,
  startAnalysis as startRow,
} from '../../storage/feedback/analyses.ts'
import type { PersonActor } from '../actor.ts'
import { decodePosition, toPage } from '../cursor.ts'
import { notFound } from '../problems.ts'
import type { Service } from '../service.ts'
import { presentRun } from './present-analysis.ts'

const windowDays = 30

/**
 * Starts a run over the last 30 days. If a run for the same app and type is in progress, returns
 * it.
 */
export async function startAnalysis(
  { database }: Service,
  actor: PersonActor,
  { app = 'default', type }: StartAnalysis,
): Promise<AnalysisRun> {
  return await database.inWorkspace(actor.workspaceId, async (tx) =>
    presentRun(await startRow(tx, { app, type }, actor.id, windowDays)),
  )
}

/** One page of the runs, newest first. */
export async function listAnalyses(
  { database }: Service,
  actor: PersonActor,
  { limit, cursor, ...filters }: ListAnalyses,
): Promise<AnalysisPage> {
  const size = limit ?? limits.pageDefault
  const before = decodePosition(cursor)
  const found = await database.inWorkspace(actor.workspaceId, (tx) => listRows(tx, filters, before, size + 1))
  const { rows, nextCursor } = toPage(found, size, (row) => [row.createdAt.toISOString(), row.id])
  return { analyses: rows.map(presentRun), nextCursor }
}

/** One run with its findings. */
export async function getAnalysis(
  { database }: Service,
  actor: PersonActor,
  id: string,
): Promise<AnalysisDetail> {
  return await database.inWorkspace(actor.workspaceId, async (tx) => {
    const row = await findAnalysis(tx, id)
    if (!row) throw notFound('analysis')
    const result = await findResult(tx, id)
    return { ...presentRun(row), ...(result && { result }) }
  })
}

/** Idempotent: a run that has ended is returned unchanged. */
export async function cancelAnalysis(
  { database }: Service,
  actor: PersonActor,
  id: string,
): Promise<AnalysisRun> {
  return await database.inWorkspace(actor.workspaceId, async (tx) => {
    await failUnfinished(tx, id, cancelledError)
    const row = await findAnalysis(tx, id)
    if (!row) throw notFound('analysis')
    return presentRun(row)
  })
}
