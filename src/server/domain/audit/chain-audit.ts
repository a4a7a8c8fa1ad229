import {
  type AuditRow,
  chainRows,
  type Link,
  takeHeadsToTell,
  workspacesToChain,
} from '../../storage/audit-chain.ts'
import type { Service } from '../service.ts'
import { digestOf, genesisOf, textOf } from './entry-line.ts'

// A transaction of 150 ms on a machine that is far too busy: nobody waits for it, and it holds back no reader of the event log for long.
const batch = 500
const tellEveryMinutes = 60

/** Chains what is not chained yet, a batch a workspace in turn. False: some workspace could not be. */
export async function chainAudit(service: Service): Promise<boolean> {
  const { database, draining, log } = service
  let allWell = true
  let waiting = await workspacesToChain(database)
  while (waiting.length > 0 && !draining.aborted) {
    const withMore: string[] = []
    for (const workspaceId of waiting) {
      try {
        if (await chainRows(database, workspaceId, genesisOf(workspaceId), batch, chain))
          withMore.push(workspaceId)
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

function chain(rows: AuditRow[], head: Pick<Link, 'seq' | 'digest'>): Link[] {
  let { seq, digest } = head
  return rows.map((row) => {
    const previous = digest
    seq++
    digest = digestOf(textOf(row, seq, previous))
    return { seq, previous, digest }
  })
}

/** Whoever can write to the database can forge a chain and its head, but not what the log of the service has kept. */
export async function tellAuditHeads({ database, log }: Service): Promise<void> {
  for (const { workspaceId, seq, digest } of await takeHeadsToTell(database, tellEveryMinutes))
    log.info({ workspaceId, seq: Number(seq), digest }, 'head of the audit chain')
}
