import { sql } from 'kysely'
import type { AnalysisResult } from '../../../contract/feedback-analysis.ts'
import type { Transaction } from '../engine/database.ts'
import type { AppAndType } from './analyses.ts'

// Deletes from analyses what they quote from tasks whose content is deleted.

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
