import type { AuditVerdict, BrokenEntry } from '../../../contract/audit.ts'
import { sha256Hex } from '../../lib/sha256.ts'
import { isSignedHead } from '../../lib/signed-head.ts'
import {
  type AuditHead,
  type ChainedRow,
  countAudit,
  findAuditHead,
  firstSeqAfterHead,
  listChained,
} from '../../storage/audit/audit-chain.ts'
import { type AdminActor, requireRole } from '../actor.ts'
import type { Service } from '../service.ts'
import { genesisDigest, serializeEntry } from './entry-line.ts'

// Hashing a batch blocks the event loop for a few milliseconds; other requests run between batches.
const batchSize = 500

const creationMissing: BrokenEntry = { seq: 1, what: 'missing' }

/**
 * Recomputes every digest of the chain, up to the head at the time of the call. The chain must
 * begin with the creation of the workspace and end at a head signed by this service.
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
    (await checkChain(service, actor.workspaceId, head, signal)) ??
    (await checkBeyondHead(service, actor.workspaceId)) ??
    (hasCreation ? undefined : creationMissing) ??
    checkSignature(service, head)
  return {
    ok: firstBroken === undefined,
    ...counts,
    ...(head && head.seq > 0 && { head: { ...head, at: head.at.toISOString() } }),
    ...(firstBroken && { firstBroken }),
  }
}

async function checkChain(
  { database }: Service,
  workspaceId: string,
  head: AuditHead | undefined,
  signal: AbortSignal,
): Promise<BrokenEntry | undefined> {
  let last = { seq: 0, digest: genesisDigest(workspaceId) }
  const end = head ?? last
  let after: number | undefined
  for (;;) {
    // The caller disconnected, so the verdict is discarded.
    if (signal.aborted) return undefined
    const rows = await database.inWorkspace(workspaceId, (tx) =>
      listChained(tx, {}, after, end.seq, batchSize),
    )
    for (const row of rows) {
      const broken = checkRow(row, last)
      if (broken) return broken
      last = row
    }
    after = last.seq
    if (rows.length < batchSize) break
  }
  if (last.seq < end.seq) return { seq: last.seq + 1, what: 'missing' }
  return last.digest === end.digest ? undefined : { seq: last.seq, what: 'replaced' }
}

function checkRow(row: ChainedRow, last: { seq: number; digest: string }): BrokenEntry | undefined {
  if (row.seq < last.seq + 1) return { seq: row.seq, what: 'added' }
  if (row.seq > last.seq + 1) return { seq: last.seq + 1, what: 'missing' }
  if (sha256Hex(serializeEntry(row, row.seq, row.previous)) !== row.digest)
    return { seq: row.seq, what: 'changed' }
  if (row.previous !== last.digest) return { seq: Math.max(last.seq, 1), what: 'replaced' }
  return undefined
}

function checkSignature({ secrets }: Service, head: AuditHead | undefined): BrokenEntry | undefined {
  if (head && isSignedHead(head, head.signature, secrets.encryptionKey)) return undefined
  return { seq: head?.seq ?? 1, what: 'unsigned' }
}

async function checkBeyondHead({ database }: Service, workspaceId: string): Promise<BrokenEntry | undefined> {
  const seq = await database.inWorkspace(workspaceId, firstSeqAfterHead)
  return seq === undefined ? undefined : { seq, what: 'added' }
}
