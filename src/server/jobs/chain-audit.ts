import { chainAudit, logAuditHeads } from '../domain/audit/chain-audit.ts'
import type { Service } from '../domain/service.ts'
import { startSweep } from './sweep.ts'

// A chain that somebody has tampered with does not mend by itself, and its log line need not come every second.
const afterTroubleMilliseconds = 60_000

/** Chains the audit behind the transactions that wrote it. */
export function startChainingAudit(service: Service) {
  let notBefore = 0
  return startSweep(service, {
    name: 'chain-audit',
    everyMilliseconds: 1_000,
    async run() {
      if (Date.now() < notBefore) return
      if (!(await chainAudit(service))) notBefore = Date.now() + afterTroubleMilliseconds
    },
  })
}

/** Writes heads that have moved to the log, each at most once a minute, whichever nodes are at it. */
export function startTellingAuditHeads(service: Service) {
  return startSweep(service, {
    name: 'tell-audit-heads',
    everyMilliseconds: 15_000,
    run: () => logAuditHeads(service),
  })
}
