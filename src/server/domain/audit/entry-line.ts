import { createHash } from 'node:crypto'
import type { AuditRow, ChainedRow } from '../../storage/audit/audit-chain.ts'

// How an entry is written and hashed is a promise: files exported years ago are checked by it. See docs/audit.md.

/** The line of an entry up to its digest, which is the SHA-256 of exactly this text. Details stand as they are stored. */
export function textOf(row: AuditRow, seq: number, previous: string): string {
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

export function lineOf(row: ChainedRow): string {
  return `${textOf(row, row.seq, row.previous)},"digest":${JSON.stringify(row.digest)}}\n`
}

/** What the first entry has for a digest before it: the chain of one workspace fits no other. */
export function genesisOf(workspaceId: string): string {
  return digestOf(`handrail audit ${workspaceId}`)
}

export function digestOf(text: string): string {
  return createHash('sha256').update(text).digest('hex')
}
