import type { BrokenEntry } from '../../../contract/audit.ts'
import { type Head, isSignedHead } from '../../lib/signed-head.ts'
import { digestsAt } from '../../storage/audit/audit-chain.ts'
import { type AdminActor, requireRole } from '../actor.ts'
import type { Service } from '../service.ts'

const batchSize = 1_000

/** A head recorded outside the database: in a log line, an exported verdict or an exported entry. */
export type RecordedHead = Head & { signature?: string | undefined }

/**
 * Returns the first of these heads, by sequence number, that the chain does not contain or whose
 * signature is not of this service. If there is none and the chain verifies, nothing up to the
 * newest of these heads was removed or rewritten.
 */
export async function compareHeads(
  { database, secrets }: Service,
  actor: AdminActor,
  heads: RecordedHead[],
): Promise<BrokenEntry | undefined> {
  requireRole(actor, 'admin')
  const sorted = heads.toSorted((a, b) => a.seq - b.seq)
  for (let start = 0; start < sorted.length; start += batchSize) {
    const batch = sorted.slice(start, start + batchSize)
    const seqs = batch.map(({ seq }) => seq)
    const digests = await database.inWorkspace(actor.workspaceId, (tx) => digestsAt(tx, seqs))
    for (const head of batch) {
      const { seq, digest, signature } = head
      if (signature !== undefined && !isSignedHead(head, signature, secrets.encryptionKey))
        return { seq, what: 'unsigned' }
      const found = digests.get(seq)
      if (found === undefined) return { seq, what: 'missing' }
      if (found !== digest) return { seq, what: 'replaced' }
    }
  }
  return undefined
}
