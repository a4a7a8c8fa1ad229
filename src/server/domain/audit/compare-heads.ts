import { type Head, isSignedHead } from '../../lib/signed-head.ts'
import { digestsAt } from '../../storage/audit/audit-chain.ts'
import { type AdminActor, requireRole } from '../actor.ts'
import type { Service } from '../service.ts'
import type { Broken } from './verify-audit.ts'

const batch = 1_000

/** A head that was kept outside the database: a line of the log, an exported verdict, an exported entry. */
export type KeptHead = Head & { signature?: string | undefined }

/**
 * The first of these heads that the chain does not confirm, in its order. Together with a chain that verifies, this shows
 * that nothing up to the newest of them was removed or rewritten. A kept head that carries a signature must carry ours.
 */
export async function compareHeads(
  { database, secrets }: Service,
  actor: AdminActor,
  heads: KeptHead[],
): Promise<Broken | undefined> {
  requireRole(actor, 'admin')
  const sorted = heads.toSorted((a, b) => a.seq - b.seq)
  for (let at = 0; at < sorted.length; at += batch) {
    const some = sorted.slice(at, at + batch)
    const seqs = some.map(({ seq }) => seq)
    const digests = await database.inWorkspace(actor.workspaceId, (tx) => digestsAt(tx, seqs))
    for (const head of some) {
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
