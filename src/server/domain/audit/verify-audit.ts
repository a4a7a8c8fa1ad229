import type { AuditDamage, AuditVerdict } from '../../../contract/audit.ts'
import { isSignedHead } from '../../lib/signed-head.ts'
import {
  type AuditHead,
  type ChainedRow,
  countAudit,
  findAuditHead,
  firstBeyondHead,
  listChained,
} from '../../storage/audit/audit-chain.ts'
import { type AdminActor, requireRole } from '../actor.ts'
import type { Service } from '../service.ts'
import { digestOf, genesisOf, textOf } from './entry-line.ts'

// Hashed in one go, a few milliseconds; between two of them other requests have their turn.
const batch = 500

export type Broken = { seq: number; what: AuditDamage }

const creationMissing: Broken = { seq: 1, what: 'missing' }

/**
 * Computes every digest of the chain again, up to the head as it stood when this began. The chain must begin with the creation of
 * the workspace and end at a head that the service signed.
 */
export async function verifyAudit(
  service: Service,
  actor: AdminActor,
  signal: AbortSignal,
): Promise<AuditVerdict> {
  requireRole(actor, 'admin')
  const { head, hasCreation, ...counts } = await service.database.inWorkspace(
    actor.workspaceId,
    async (tx) => ({
      head: await findAuditHead(tx),
      ...(await countAudit(tx)),
    }),
  )
  const firstBroken =
    (await walk(service, actor.workspaceId, head, signal)) ??
    (await beyondHead(service, actor.workspaceId)) ??
    (hasCreation ? undefined : creationMissing) ??
    notSigned(service, head)
  return {
    ok: firstBroken === undefined,
    ...counts,
    ...(head && head.seq > 0 && { head: { ...head, at: head.at.toISOString() } }),
    ...(firstBroken && { firstBroken }),
  }
}

async function walk(
  { database }: Service,
  workspaceId: string,
  head: AuditHead | undefined,
  signal: AbortSignal,
): Promise<Broken | undefined> {
  let last = { seq: 0, digest: genesisOf(workspaceId) }
  const end = head ?? last
  let after: number | undefined
  for (;;) {
    // The caller went away: nobody reads the verdict.
    if (signal.aborted) return undefined
    const rows = await database.inWorkspace(workspaceId, (tx) => listChained(tx, {}, after, end.seq, batch))
    for (const row of rows) {
      const broken = judge(row, last)
      if (broken) return broken
      last = row
    }
    after = last.seq
    if (rows.length < batch) break
  }
  if (last.seq < end.seq) return { seq: last.seq + 1, what: 'missing' }
  return last.digest === end.digest ? undefined : { seq: last.seq, what: 'replaced' }
}

function judge(row: ChainedRow, last: { seq: number; digest: string }): Broken | undefined {
  if (row.seq < last.seq + 1) return { seq: row.seq, what: 'added' }
  if (row.seq > last.seq + 1) return { seq: last.seq + 1, what: 'missing' }
  if (digestOf(textOf(row, row.seq, row.previous)) !== row.digest) return { seq: row.seq, what: 'changed' }
  if (row.previous !== last.digest) return { seq: Math.max(last.seq, 1), what: 'replaced' }
  return undefined
}

function notSigned({ secrets }: Service, head: AuditHead | undefined): Broken | undefined {
  if (head && isSignedHead(head, head.signature, secrets.encryptionKey)) return undefined
  return { seq: head?.seq ?? 1, what: 'unsigned' }
}

async function beyondHead({ database }: Service, workspaceId: string): Promise<Broken | undefined> {
  const seq = await database.inWorkspace(workspaceId, firstBeyondHead)
  return seq === undefined ? undefined : { seq, what: 'added' }
}
