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

// The contexts of 50 tasks may have 25 MiB, and take many times as much memory once they are parsed.
const maxPageBytes = 1024 * 1024

/**
 * One page of handled tasks, oldest first: at most `limit`, and fewer if their contents are large.
 * Empty only after the last one.
 */
export async function listHandledTasks(
  tx: Transaction,
  filters: HandledFilters,
  after: PagePosition | undefined,
  limit: number,
): Promise<HandledTaskRow[]> {
  let page = selectAllHandled(tx, filters).orderBy('tasks.endedAt').orderBy('tasks.id').limit(limit)
  if (after)
    page = page.where(sql<SqlBool>`(tasks.ended_at, tasks.id) > (${after.at}::timestamptz, ${after.id})`)
  const sized = tx.db
    .selectFrom(page.as('t'))
    .leftJoin('taskContents as c', 'c.taskId', 't.id')
    .select('t.id')
    .select(
      sql<number>`sum(${contentBytes}) OVER (ORDER BY t.ended_at, t.id) - ${contentBytes}`.as('bytesBefore'),
    )
  const fitting = await tx.db
    .selectFrom(sized.as('s'))
    .select('s.id')
    .where('s.bytesBefore', '<', maxPageBytes)
    .execute()
  if (fitting.length === 0) return []
  const ids = fitting.map(({ id }) => id)
  return await withContents(tx, handledAmong(tx, ids))
}

const contentBytes = sql`(coalesce(octet_length(c.context::text), 0) + coalesce(octet_length(c.actions::text), 0)
  + coalesce(octet_length(t.answer::text), 0) + coalesce(octet_length(t.edits::text), 0))`

/** The handled tasks among these ids whose content was not deleted, oldest first. */
export function findHandledTasks(tx: Transaction, ids: string[]): Promise<HandledTaskRow[]> {
  return withContents(tx, handledAmong(tx, ids).where('tasks.contentDeletedAt', 'is', null))
}

function handledAmong({ db, workspaceId }: Transaction, ids: string[]) {
  return db
    .selectFrom('tasks')
    .where('tasks.workspaceId', '=', workspaceId)
    .where('tasks.status', '=', 'handled')
    .where('tasks.id', 'in', ids)
    .selectAll('tasks')
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
