import { type SqlBool, sql } from 'kysely'
import type { Transaction } from '../engine/database.ts'
import { answersOf, type PagePosition, questionsOf } from './tasks.ts'

export type HandledFilters = {
  app?: string | undefined
  type?: string | undefined
  version?: string | undefined
  actionId?: string | undefined
  handledBy?: string | undefined
  handledAfter?: string | undefined
  /** Exclusive. Required, so that an export comes to an end even while tasks are being handled. */
  handledBefore: string
}

function selectHandled({ db, workspaceId }: Transaction, filters: HandledFilters) {
  let query = db
    .selectFrom('tasks')
    .where('tasks.workspaceId', '=', workspaceId)
    .where('tasks.status', '=', 'handled')
  if (filters.app) query = query.where('tasks.app', '=', filters.app)
  if (filters.type) query = query.where('tasks.type', '=', filters.type)
  if (filters.version) query = query.where('tasks.version', '=', filters.version)
  if (filters.actionId) query = query.where('tasks.actionId', '=', filters.actionId)
  if (filters.handledBy) query = query.where('tasks.handledBy', '=', filters.handledBy)
  if (filters.handledAfter) query = query.where('tasks.endedAt', '>', new Date(filters.handledAfter))
  return query.where('tasks.endedAt', '<', new Date(filters.handledBefore))
}

function selectAllHandled(tx: Transaction, filters: HandledFilters) {
  return selectHandled(tx, filters).selectAll('tasks')
}

export async function countHandledTasks(tx: Transaction, filters: HandledFilters): Promise<number> {
  const { count } = await selectHandled(tx, filters)
    .select(sql<number>`count(*)::int`.as('count'))
    .executeTakeFirstOrThrow()
  return count
}

/**
 * One page of handled tasks, oldest first. Contents are joined after the page is selected, so that
 * only its rows are read.
 */
export function listHandledTasks(
  tx: Transaction,
  filters: HandledFilters,
  after: PagePosition | undefined,
  limit: number,
) {
  let page = selectAllHandled(tx, filters).orderBy('tasks.endedAt').orderBy('tasks.id').limit(limit)
  if (after)
    page = page.where(sql<SqlBool>`(tasks.ended_at, tasks.id) > (${after.at}::timestamptz, ${after.id})`)
  return withContents(tx, page)
}

/** The handled tasks among these ids whose content was not deleted, oldest first. */
export function findHandledTasks(tx: Transaction, ids: string[]): Promise<HandledTaskRow[]> {
  const found = tx.db
    .selectFrom('tasks')
    .where('tasks.workspaceId', '=', tx.workspaceId)
    .where('tasks.status', '=', 'handled')
    .where('tasks.id', 'in', ids)
    .where('tasks.contentDeletedAt', 'is', null)
    .selectAll('tasks')
  return withContents(tx, found)
}

type Selected = ReturnType<typeof selectAllHandled>

function withContents(tx: Transaction, selected: Selected) {
  return tx.db
    .selectFrom(selected.as('t'))
    .leftJoin('taskContents as c', 'c.taskId', 't.id')
    .select([
      't.id',
      't.app',
      't.type',
      't.version',
      't.name',
      't.description',
      't.priority',
      't.threadId',
      't.metadata',
      't.createdAt',
      't.endedAt',
      't.actionId',
      't.actionTitle',
      't.answer',
      't.handledBy',
      't.handledByVerified',
      't.decidedBy',
      't.ruleId',
      't.via',
      't.presented',
      't.edits',
      't.editLevel',
      't.bulkId',
      't.contentDeletedAt',
      't.revision',
      'c.context',
      'c.actions',
    ])
    .select([questionsOf('t').as('questions'), answersOf('t').as('answers')])
    .orderBy('t.endedAt')
    .orderBy('t.id')
    .execute()
}

export type HandledTaskRow = Awaited<ReturnType<typeof withContents>>[number]
