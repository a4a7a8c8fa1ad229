import { chainAudit, logAuditHeads } from '../domain/audit/chain-audit.ts'
import type { Service } from '../domain/service.ts'
import { startSweep } from './sweep.ts'

// A chain that was tampered with stays broken, and its log line would repeat every second. So all
// chains wait for a minute after an error.
const retryAfterErrorMilliseconds = 60_000

/** Adds committed audit entries to the chain of their workspace. */
export function startChainingAudit(service: Service) {
  let notBefore = 0
  return startSweep(service, {
    name: 'chain-audit',
    everyMilliseconds: 1_000,
    async run() {
      if (Date.now() < notBefore) return
      if (!(await chainAudit(service))) notBefore = Date.now() + retryAfterErrorMilliseconds
    },
  })
}

/** Logs the heads of audit chains that have grown, each at most once per minute across all nodes. */
export function startLoggingAuditHeads(service: Service) {
  return startSweep(service, {
    name: 'log-audit-heads',
    everyMilliseconds: 15_000,
    run: () => logAuditHeads(service),
  })
}
