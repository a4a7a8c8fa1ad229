import { type Kysely, sql } from 'kysely'
import { type AuditFilters, matching } from './audit-log.ts'
import type { Database, Transaction } from './database.ts'
import type { Schema } from './schema.ts'

/** A row as it is stored: moments and details are text, because every byte of them counts. */
export type AuditRow = {
  id: string
  at: string
  actor: string
  action: string
  subject: string
  fromAddress: string | null
  details: string | null
}
export type ChainedRow = AuditRow & { seq: number; previous: string; digest: string }
export type Link = { seq: number; previous: string; digest: string }

// Milliseconds, as everywhere; finer ones, which we never write, show.
const asStored = sql`id, actor, action, subject, from_address, details::text AS details,
  regexp_replace(to_char(at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US'), '000$', '') || 'Z' AS at`

/** Workspaces with rows that are not chained yet: one look at the index each, however many rows they have. */
export async function workspacesToChain(database: Database): Promise<string[]> {
  return await database.acrossWorkspaces(async (db) => {
    const { rows } = await sql<{ workspaceId: string }>`
      WITH RECURSIVE waiting AS (
        (SELECT workspace_id FROM audit_log WHERE seq IS NULL ORDER BY workspace_id LIMIT 1)
        UNION ALL
        SELECT (
          SELECT workspace_id FROM audit_log
          WHERE seq IS NULL AND workspace_id > waiting.workspace_id ORDER BY workspace_id LIMIT 1)
        FROM waiting WHERE workspace_id IS NOT NULL)
      SELECT workspace_id FROM waiting WHERE workspace_id IS NOT NULL`.execute(db)
    return rows.map((row) => row.workspaceId)
  })
}

/**
 * Chains the oldest rows of a workspace that have no number yet, so many at most, and moves the head. The head's lock lets one
 * node at a time do it; there is no cursor, so a row that commits late is not passed over but comes later in the chain.
 * False: nothing was left, or another node is at it.
 */
export async function chainRows(
  database: Database,
  workspaceId: string,
  genesis: string,
  limit: number,
  chain: (rows: AuditRow[], head: Pick<Link, 'seq' | 'digest'>) => Link[],
): Promise<boolean> {
  return await database.acrossWorkspaces(async (db) => {
    const head = await lockHead(db, workspaceId, genesis)
    if (!head) return false
    const { rows } = await sql<AuditRow>`
      SELECT ${asStored} FROM audit_log WHERE workspace_id = ${workspaceId} AND seq IS NULL
      ORDER BY audit_log.at, id LIMIT ${limit}`.execute(db)
    const links = chain(rows, head)
    const last = links.at(-1)
    if (!last) return false
    await sql`
      UPDATE audit_log SET seq = link.seq, previous = link.previous, digest = link.digest
      FROM unnest(${rows.map(({ id }) => id)}::text[], ${links.map(({ seq }) => seq)}::bigint[],
        ${links.map(({ previous }) => previous)}::text[], ${links.map(({ digest }) => digest)}::text[])
        AS link (id, seq, previous, digest)
      WHERE audit_log.id = link.id`.execute(db)
    await db
      .updateTable('auditHeads')
      .set({ seq: String(last.seq), digest: last.digest, at: sql<Date>`app_now()` })
      .where('workspaceId', '=', workspaceId)
      .execute()
    return rows.length === limit
  })
}

/** A head is made once, before the first row: had it been removed, a new one would hide what was removed with it. */
async function lockHead(db: Kysely<Schema>, workspaceId: string, genesis: string) {
  await sql`
    INSERT INTO audit_heads (workspace_id, seq, digest) SELECT ${workspaceId}, 0, ${genesis}
    WHERE NOT EXISTS (SELECT FROM audit_log WHERE workspace_id = ${workspaceId} AND seq IS NOT NULL)
    ON CONFLICT DO NOTHING`.execute(db)
  const head = await db
    .selectFrom('auditHeads')
    .select(['seq', 'digest'])
    .where('workspaceId', '=', workspaceId)
    .forUpdate()
    .skipLocked()
    .executeTakeFirst()
  if (head) return { seq: Number(head.seq), digest: head.digest }
  const { rows } = await sql`SELECT FROM audit_heads WHERE workspace_id = ${workspaceId}`.execute(db)
  if (rows.length === 0) throw new Error('The head of the audit chain was removed.')
  return undefined
}

export type AuditHead = { seq: number; digest: string; at: Date }

export async function findAuditHead(tx: Transaction): Promise<AuditHead | undefined> {
  const head = await tx.db
    .selectFrom('auditHeads')
    .select(['seq', 'digest', 'at'])
    .where('workspaceId', '=', tx.workspaceId)
    .executeTakeFirst()
  return head && { ...head, seq: Number(head.seq) }
}

/** In the order of the chain, from after a number to another. */
export async function listChained(
  { db, workspaceId }: Transaction,
  filters: AuditFilters,
  after: number | undefined,
  upTo: number,
  limit: number,
): Promise<ChainedRow[]> {
  const { rows } = await sql<AuditRow & { seq: string; previous: string; digest: string }>`
    SELECT seq, previous, digest, ${asStored} FROM audit_log
    WHERE workspace_id = ${workspaceId} AND seq > ${after ?? '-9223372036854775808'} AND seq <= ${upTo} AND ${matching(filters)}
    ORDER BY seq LIMIT ${limit}`.execute(db)
  return rows.map((row) => ({ ...row, seq: Number(row.seq) }))
}

/** The first number that nobody gave out: behind the head. */
export async function firstBeyondHead({ db, workspaceId }: Transaction): Promise<number | undefined> {
  const { rows } = await sql<{ seq: string }>`
    SELECT seq FROM audit_log WHERE workspace_id = ${workspaceId}
      AND seq > coalesce((SELECT seq FROM audit_heads WHERE workspace_id = ${workspaceId}), 0)
    ORDER BY seq LIMIT 1`.execute(db)
  return rows[0] && Number(rows[0].seq)
}

export async function countAudit({
  db,
  workspaceId,
}: Transaction): Promise<{ rows: number; chained: number }> {
  const { rows } = await sql<{ rows: number; chained: number }>`
    SELECT count(*)::float AS rows, count(seq)::float AS chained FROM audit_log
    WHERE workspace_id = ${workspaceId}`.execute(db)
  return rows[0]!
}

/** Heads that moved since they were last told, each at most so often; whoever asks is the one to tell them. */
export async function takeHeadsToTell(database: Database, everyMinutes: number) {
  return await database.acrossWorkspaces((db) =>
    db
      .updateTable('auditHeads')
      .set({ toldSeq: sql`seq`, toldAt: sql<Date>`app_now()` })
      .where(sql<boolean>`told_seq < seq AND told_at <= app_now() - make_interval(mins => ${everyMinutes})`)
      .returning(['workspaceId', 'seq', 'digest'])
      .execute(),
  )
}
