import { sha256Hex } from '../../lib/sha256.ts'
import type { AuditRow, ChainedRow } from '../../storage/audit/audit-chain.ts'

// The format and the digest of an entry must never change: files exported years ago are verified
// with this code. See docs/audit.md.

/**
 * An entry's line up to its digest, which is the SHA-256 of exactly this text. Details are included
 * as they are stored.
 */
export function serializeEntry(row: AuditRow, seq: number, previous: string): string {
  const start = JSON.stringify({
    seq,
    auditId: row.id,
    at: row.at,
    actor: row.actor,
    action: row.action,
    subject: row.subject,
    ...(row.fromAddress !== null && { from: row.fromAddress }),
  }).slice(0, -1)
  const details = row.details === null ? '' : `,"details":${row.details}`
  return `${start}${details},"previous":${JSON.stringify(previous)}`
}

export function formatLine(row: ChainedRow): string {
  return `${serializeEntry(row, row.seq, row.previous)},"digest":${JSON.stringify(row.digest)}}\n`
}

/** The `previous` digest of the first entry, so that a chain is valid in its own workspace only. */
export function genesisDigest(workspaceId: string): string {
  return sha256Hex(`handrail audit ${workspaceId}`)
}
