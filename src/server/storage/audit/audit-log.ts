import { type SqlBool, sql } from 'kysely'
import type { AuditAction } from '../../../contract/audit.ts'
import { newId } from '../../lib/ids.ts'
import type { Transaction } from '../engine/database.ts'
import { runPrepared } from '../engine/prepared-query.ts'
import type { PagePosition } from '../tasks/tasks.ts'

export type NewAuditEntry = {
  actor: string
  from: string | undefined
  action: AuditAction
  subject: string
  details?: Record<string, unknown>
}

/** A job chains the entry later: see audit-chain.ts. */
export async function appendAudit(tx: Transaction, entry: NewAuditEntry): Promise<void> {
  const insert = tx.db.insertInto('auditLog').values({
    id: newId('audit'),
    workspaceId: tx.workspaceId,
    actor: entry.actor,
    action: entry.action,
    subject: entry.subject,
    fromAddress: entry.from ?? null,
    details: entry.details === undefined ? null : JSON.stringify(entry.details),
  })
  await runPrepared(tx, insert)
}

export type AuditFilters = {
  subject?: string | undefined
  action?: string | undefined
  actor?: string | undefined
  after?: string | undefined
  before?: string | undefined
}

/**
 * Newest first, with the current names of actor and subject if they still exist, and the actor's
 * email address.
 */
export function listAudit(
  tx: Transaction,
  filters: AuditFilters,
  before: PagePosition | undefined,
  limit: number,
) {
  let query = tx.db
    .selectFrom('auditLog')
    .selectAll()
    .select([nameOf('actor').as('actorName'), nameOf('subject').as('subjectName')])
    .select(sql<string | null>`(SELECT email FROM users WHERE users.id = audit_log.actor)`.as('actorEmail'))
    .where('workspaceId', '=', tx.workspaceId)
    .where(matching(filters))
    .orderBy('at', 'desc')
    .orderBy('id', 'desc')
    .limit(limit)
  if (before) query = query.where(sql<SqlBool>`(at, id) < (${before.at}::timestamptz, ${before.id})`)
  return query.execute()
}

export function matching({ subject, action, actor, after, before }: AuditFilters) {
  const conditions = [sql<SqlBool>`true`]
  if (subject) conditions.push(sql`subject = ${subject}`)
  if (action) conditions.push(sql`action = ${action}`)
  if (actor) conditions.push(sql`actor = ${actor}`)
  if (after) conditions.push(sql`at > ${after}::timestamptz`)
  if (before) conditions.push(sql`at < ${before}::timestamptz`)
  return sql<SqlBool>`${sql.join(conditions, sql` AND `)}`
}

/** The current name of what the column identifies. A task whose content was deleted has none. */
function nameOf(column: 'actor' | 'subject') {
  const id = sql.ref(`audit_log.${column}`)
  return sql<string | null>`nullif(CASE left(${id}, 4)
    WHEN 'tsk_' THEN (SELECT name FROM tasks WHERE tasks.id = ${id})
    WHEN 'rul_' THEN (SELECT name FROM rules WHERE rules.id = ${id})
    WHEN 'grp_' THEN (SELECT name FROM groups WHERE groups.id = ${id})
    WHEN 'key_' THEN (SELECT name FROM api_keys WHERE api_keys.id = ${id})
    WHEN 'grt_' THEN (SELECT client_name || coalesce(' for ' || (SELECT name FROM users WHERE users.id = user_id), '')
      FROM oauth_grants WHERE oauth_grants.id = ${id})
    WHEN 'usr_' THEN (SELECT name FROM users WHERE users.id = ${id}) END, '')`
}
