import { type Kysely, sql } from 'kysely'
import type { Database, Transaction } from '../engine/database.ts'
import type { Schema } from '../engine/schema.ts'
import { type AuditFilters, matching } from './audit-log.ts'

/** A row as stored: timestamps and details are text, because every byte is hashed. */
export type AuditRow = {
  id: string
  at: string
  actor: string
  action: string
  subject: string
  fromAddress: string | null
  details: string | null
}
export type Link = { seq: number; previous: string; digest: string }
export type ChainedRow = AuditRow & Link

// Entries have milliseconds. Further digits can only come from tampering. They are kept, so that
// the digest differs.
const asStored = sql`id, actor, action, subject, from_address, details::text AS details,
  regexp_replace(to_char(at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US'), '000$', '') || 'Z' AS at`

/**
 * Workspaces with rows that are not chained yet. The query jumps from workspace to workspace in the
 * index (a loose index scan), so the number of rows does not matter.
 */
export async function listWorkspacesToChain(database: Database): Promise<string[]> {
  return await database.allWorkspaces(async (db) => {
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
 * Chains up to `limit` rows of a workspace that have no number yet, the oldest first, and moves the
 * head. The lock of the head admits one node at a time. Rows are selected by their missing number,
 * so a row that was committed late is chained by a later call. The first call chains only the
 * creation of the workspace. Returns whether more rows may follow; false if another node holds the
 * lock.
 */
export async function chainRows(
  database: Database,
  workspaceId: string,
  limit: number,
  chain: (rows: AuditRow[], head: SignedHead) => { links: Link[]; signature: string },
): Promise<boolean> {
  return await database.allWorkspaces(async (db) => {
    const head = await lockHead(db, workspaceId)
    if (!head) return false
    const isFirst = head.seq === 0
    const { rows } = await sql<AuditRow>`
      SELECT ${asStored} FROM audit_log WHERE workspace_id = ${workspaceId} AND seq IS NULL
        ${isFirst ? sql`AND ${isCreation}` : sql``}
      ORDER BY audit_log.at, id LIMIT ${isFirst ? 1 : limit}`.execute(db)
    if (isFirst && rows.length === 0)
      throw new Error('The audit entry of the creation of the workspace is missing.')
    if (rows.length === 0) return false
    const { links, signature } = chain(rows, head)
    const last = links.at(-1)!
    await sql`
      UPDATE audit_log SET seq = link.seq, previous = link.previous, digest = link.digest
      FROM unnest(${rows.map(({ id }) => id)}::text[], ${links.map(({ seq }) => seq)}::bigint[],
        ${links.map(({ previous }) => previous)}::text[], ${links.map(({ digest }) => digest)}::text[])
        AS link (id, seq, previous, digest)
      WHERE audit_log.id = link.id`.execute(db)
    await db
      .updateTable('auditHeads')
      .set({ seq: String(last.seq), digest: last.digest, signature, at: sql<Date>`app_now()` })
      .where('workspaceId', '=', workspaceId)
      .execute()
    return isFirst || rows.length === limit
  })
}

const isCreation = sql`(action = 'workspace.created' AND subject = workspace_id)`

export type SignedHead = { workspaceId: string; seq: number; digest: string; signature: string }

/**
 * Called only when the workspace is created: if a missing head were inserted later, the removal of
 * rows together with their head would go unnoticed.
 */
export async function insertFirstHead(tx: Transaction, digest: string, signature: string): Promise<void> {
  await tx.db.insertInto('auditHeads').values({ workspaceId: tx.workspaceId, digest, signature }).execute()
}

async function lockHead(db: Kysely<Schema>, workspaceId: string): Promise<SignedHead | undefined> {
  const head = await db
    .selectFrom('auditHeads')
    .select(['workspaceId', 'seq', 'digest', 'signature'])
    .where('workspaceId', '=', workspaceId)
    .forUpdate()
    .skipLocked()
    .executeTakeFirst()
  if (head) return { ...head, seq: Number(head.seq) }
  const { rows } = await sql`SELECT FROM audit_heads WHERE workspace_id = ${workspaceId}`.execute(db)
  if (rows.length === 0) throw new Error('The head of the audit chain was removed.')
  return undefined
}

/**
 * Signs the heads of chains that predate signatures, and returns them. Workspaces without chained
 * entries first get a head, as new workspaces do. Runs once per database: a head that loses its
 * signature later is not signed again.
 */
export async function signUnsignedHeads(
  database: Database,
  sign: (head: Omit<SignedHead, 'signature'>) => string,
): Promise<SignedHead[]> {
  return await database.allWorkspaces(async (db) => {
    const { rows: claimed } = await sql`
      INSERT INTO service_facts (name, value) VALUES ('audit_heads_signed', 'yes') ON CONFLICT DO NOTHING
      RETURNING name`.execute(db)
    if (claimed.length === 0) return []
    await sql`
      -- The digest is genesisDigest() of domain/audit/entry-line.ts.
      INSERT INTO audit_heads (workspace_id, digest)
      SELECT id, encode(sha256(convert_to('handrail audit ' || id, 'UTF8')), 'hex') FROM workspaces w
      WHERE NOT EXISTS (SELECT FROM audit_log a WHERE a.workspace_id = w.id AND a.seq IS NOT NULL)
      ON CONFLICT DO NOTHING`.execute(db)
    const unsigned = await db
      .selectFrom('auditHeads')
      .select(['workspaceId', 'seq', 'digest'])
      .where('signature', '=', '')
      .forUpdate()
      .execute()
    const signed = unsigned.map((row) => {
      const head = { ...row, seq: Number(row.seq) }
      return { ...head, signature: sign(head) }
    })
    await sql`
      UPDATE audit_heads h SET signature = signed.signature
      FROM unnest(${signed.map((head) => head.workspaceId)}::text[], ${signed.map((head) => head.signature)}::text[])
        AS signed (workspace_id, signature)
      WHERE h.workspace_id = signed.workspace_id`.execute(db)
    return signed
  })
}

export type AuditHead = SignedHead & { at: Date }

export async function findAuditHead(tx: Transaction): Promise<AuditHead | undefined> {
  const head = await tx.db
    .selectFrom('auditHeads')
    .select(['workspaceId', 'seq', 'digest', 'signature', 'at'])
    .where('workspaceId', '=', tx.workspaceId)
    .executeTakeFirst()
  return head && { ...head, seq: Number(head.seq) }
}

/**
 * Rows in the order of the chain, with numbers greater than `after`, up to and including `upTo`. If
 * `after` is undefined, starts with the smallest number: tampering may have added negative numbers.
 */
export async function listChained(
  { db, workspaceId }: Transaction,
  filters: AuditFilters,
  after: number | undefined,
  upTo: number,
  limit: number,
): Promise<ChainedRow[]> {
  const { rows } = await sql<AuditRow & { seq: string; previous: string; digest: string }>`
    SELECT seq, previous, digest, ${asStored} FROM audit_log
    WHERE workspace_id = ${workspaceId} AND ${after === undefined ? sql`true` : sql`seq > ${after}`} AND seq <= ${upTo}
      AND ${matching(filters)}
    ORDER BY seq LIMIT ${limit}`.execute(db)
  return rows.map((row) => ({ ...row, seq: Number(row.seq) }))
}

/** The number of the first row after the head. Only tampering can produce such a row. */
export async function firstSeqAfterHead({ db, workspaceId }: Transaction): Promise<number | undefined> {
  const { rows } = await sql<{ seq: string }>`
    SELECT seq FROM audit_log WHERE workspace_id = ${workspaceId}
      AND seq > coalesce((SELECT seq FROM audit_heads WHERE workspace_id = ${workspaceId}), 0)
    ORDER BY seq LIMIT 1`.execute(db)
  return rows[0] && Number(rows[0].seq)
}

type AuditCounts = { rows: number; chained: number; hasCreation: boolean }

/** `hasCreation`: the creation of the workspace is the first entry, or is not chained yet. */
export async function countAudit({ db, workspaceId }: Transaction): Promise<AuditCounts> {
  const { rows } = await sql<AuditCounts>`
    SELECT count(*)::float AS rows, count(seq)::float AS chained,
      coalesce(bool_or(${isCreation} AND coalesce(seq, 1) = 1), false) AS has_creation
    FROM audit_log WHERE workspace_id = ${workspaceId}`.execute(db)
  return rows[0]!
}

/** The digests at these numbers of the chain. */
export async function digestsAt(
  { db, workspaceId }: Transaction,
  seqs: number[],
): Promise<Map<number, string>> {
  const { rows } = await sql<{ seq: string; digest: string }>`
    SELECT seq, digest FROM audit_log WHERE workspace_id = ${workspaceId} AND seq = ANY (${seqs}::bigint[])`.execute(
    db,
  )
  return new Map(rows.map(({ seq, digest }) => [Number(seq), digest]))
}

/**
 * Returns the heads that have moved since they were last logged, and marks them as logged. Each
 * head is returned at most once per interval.
 */
export async function claimHeadsToLog(database: Database, everyMinutes: number) {
  return await database.allWorkspaces((db) =>
    db
      .updateTable('auditHeads')
      .set({ loggedSeq: sql`seq`, loggedAt: sql<Date>`app_now()` })
      .where(
        sql<boolean>`logged_seq < seq AND logged_at <= app_now() - make_interval(mins => ${everyMinutes})`,
      )
      .returning(['workspaceId', 'seq', 'digest', 'signature'])
      .execute(),
  )
}
