import { type SqlBool, sql } from 'kysely'
import { newId } from '../lib/ids.ts'
import type { Transaction } from './database.ts'
import type { Place } from './tasks.ts'

export type NewAuditEntry = {
  actor: string
  from: string | undefined
  action: string
  subject: string
  details?: Record<string, unknown>
}

export async function appendAudit(tx: Transaction, entry: NewAuditEntry): Promise<void> {
  await tx.db
    .insertInto('auditLog')
    .values({
      id: newId('audit'),
      workspaceId: tx.workspaceId,
      actor: entry.actor,
      action: entry.action,
      subject: entry.subject,
      fromAddress: entry.from ?? null,
      details: entry.details === undefined ? null : JSON.stringify(entry.details),
    })
    .execute()
}

export type AuditFilters = {
  subject?: string | undefined
  action?: string | undefined
  actor?: string | undefined
  after?: string | undefined
  before?: string | undefined
}

export function listAudit(tx: Transaction, filters: AuditFilters, before: Place | undefined, limit: number) {
  let query = tx.db
    .selectFrom('auditLog')
    .selectAll()
    .where('workspaceId', '=', tx.workspaceId)
    .orderBy('at', 'desc')
    .orderBy('id', 'desc')
    .limit(limit)
  if (filters.subject) query = query.where('subject', '=', filters.subject)
  if (filters.action) query = query.where('action', '=', filters.action)
  if (filters.actor) query = query.where('actor', '=', filters.actor)
  if (filters.after) query = query.where('at', '>', new Date(filters.after))
  if (filters.before) query = query.where('at', '<', new Date(filters.before))
  if (before) query = query.where(sql<SqlBool>`(at, id) < (${before.at}::timestamptz, ${before.id})`)
  return query.execute()
}
