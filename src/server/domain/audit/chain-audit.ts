import { sha256Hex } from '../../lib/sha256.ts'
import { isSignedHead, signHead } from '../../lib/signed-head.ts'
import {
  type AuditRow,
  chainRows,
  claimHeadsToLog,
  type Link,
  listWorkspacesToChain,
  type SignedHead,
} from '../../storage/audit/audit-chain.ts'
import type { Service } from '../service.ts'
import { serializeEntry } from './entry-line.ts'

// A batch takes 150 ms on an overloaded machine. It must stay short, because readers of the event
// log wait for running transactions.
const batchSize = 500
const logIntervalMinutes = 1

/**
 * Chains new audit entries, one batch per workspace in turn. Returns false if the chain of some
 * workspace could not be extended.
 */
export async function chainAudit(service: Service): Promise<boolean> {
  const { database, draining, log, secrets } = service
  const extend = (rows: AuditRow[], head: SignedHead) => chain(rows, head, secrets.encryptionKey)
  let allChained = true
  let pending = await listWorkspacesToChain(database)
  while (pending.length > 0 && !draining.aborted) {
    const withMore: string[] = []
    for (const workspaceId of pending) {
      try {
        if (await chainRows(database, workspaceId, batchSize, extend)) withMore.push(workspaceId)
      } catch (error) {
        // Continue with the other workspaces.
        allChained = false
        log.error({ err: error, workspaceId }, 'failed to chain audit entries')
      }
    }
    pending = withMore
  }
  return allChained
}

/** Refuses to extend a head with an invalid signature: signing the next head would vouch for it. */
function chain(rows: AuditRow[], head: SignedHead, key: string): { links: Link[]; signature: string } {
  if (!isSignedHead(head, head.signature, key))
    throw new Error('The head of the audit chain is not signed by this service.')
  let { seq, digest } = head
  const links = rows.map((row) => {
    const previous = digest
    seq++
    digest = sha256Hex(serializeEntry(row, seq, previous))
    return { seq, previous, digest }
  })
  return { links, signature: signHead({ workspaceId: head.workspaceId, seq, digest }, key) }
}

/**
 * Logs new heads, at most one per workspace and minute. A person with write access to the database
 * could restore an older chain together with its head; the heads in the log reveal that.
 */
export async function logAuditHeads({ database, log }: Service): Promise<void> {
  for (const { seq, ...head } of await claimHeadsToLog(database, logIntervalMinutes))
    log.info({ ...head, seq: Number(seq) }, 'head of the audit chain')
}
