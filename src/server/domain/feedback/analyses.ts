import type {
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
  listAnalyses as listRows,
  startAnalysis as startRow,
} from '../../storage/feedback/analyses.ts'
import type { PersonActor } from '../actor.ts'
import { decodeCursor, encodeCursor } from '../cursor.ts'
import { notFound } from '../problems.ts'
import type { Service } from '../service.ts'
import { presentRun } from './present-analysis.ts'

const windowDays = 30

/** Starts a run over the last 30 days. If one for the same app and type is in progress, returns that one. */
export async function startAnalysis(
  { database }: Service,
  actor: PersonActor,
  { app = 'default', type }: StartAnalysis,
): Promise<AnalysisRun> {
  return await database.inWorkspace(actor.workspaceId, async (tx) =>
    presentRun(await startRow(tx, { app, type }, actor.id, windowDays)),
  )
}

/** All runs, newest first. */
export async function listAnalyses(
  { database }: Service,
  actor: PersonActor,
  { limit, cursor, ...filters }: ListAnalyses,
): Promise<AnalysisPage> {
  const size = limit ?? limits.pageDefault
  const [at, id] = cursor === undefined ? [] : (decodeCursor(cursor, 'ts') as [string, string])
  const before = at !== undefined && id !== undefined ? { at, id } : undefined
  const rows = await database.inWorkspace(actor.workspaceId, (tx) => listRows(tx, filters, before, size + 1))
  const page = rows.slice(0, size)
  const last = page.at(-1)
  return {
    analyses: page.map(presentRun),
    nextCursor: rows.length > size && last ? encodeCursor([last.createdAt.toISOString(), last.id]) : null,
  }
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
