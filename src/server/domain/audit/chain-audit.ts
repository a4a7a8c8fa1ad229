import { isSignedHead, signHead } from '../../lib/signed-head.ts'
import {
  type AuditRow,
  chainRows,
  type Link,
  type SignedHead,
  takeHeadsToTell,
  workspacesToChain,
} from '../../storage/audit/audit-chain.ts'
import type { Service } from '../service.ts'
import { digestOf, textOf } from './entry-line.ts'

// A transaction of 150 ms on a machine that is far too busy: nobody waits for it, and it holds back no reader of the event log for long.
const batch = 500
const tellEveryMinutes = 1

/** Chains what is not chained yet, a batch a workspace in turn. False: some workspace could not be. */
export async function chainAudit(service: Service): Promise<boolean> {
  const { database, draining, log, secrets } = service
  const extend = (rows: AuditRow[], head: SignedHead) => chain(rows, head, secrets.encryptionKey)
  let allWell = true
  let waiting = await workspacesToChain(database)
  while (waiting.length > 0 && !draining.aborted) {
    const withMore: string[] = []
    for (const workspaceId of waiting) {
      try {
        if (await chainRows(database, workspaceId, batch, extend)) withMore.push(workspaceId)
      } catch (error) {
        // The others' entries are to be chained, too.
        allWell = false
        log.error({ err: error, workspaceId }, 'the audit could not be chained; verify it')
      }
    }
    waiting = withMore
  }
  return allWell
}

/** A head that somebody else has written is not continued: the signature of the next one would vouch for it. */
function chain(rows: AuditRow[], head: SignedHead, key: string): { links: Link[]; signature: string } {
  if (!isSignedHead(head, head.signature, key))
    throw new Error('The head of the audit chain is not signed by this service.')
  let { seq, digest } = head
  const links = rows.map((row) => {
    const previous = digest
    seq++
    digest = digestOf(textOf(row, seq, previous))
    return { seq, previous, digest }
  })
  return { links, signature: signHead({ workspaceId: head.workspaceId, seq, digest }, key) }
}

/** Whoever can write to the database can put an older chain with its head back, but not change what the log has kept. */
export async function tellAuditHeads({ database, log }: Service): Promise<void> {
  for (const { seq, ...head } of await takeHeadsToTell(database, tellEveryMinutes))
    log.info({ ...head, seq: Number(seq) }, 'head of the audit chain')
}
