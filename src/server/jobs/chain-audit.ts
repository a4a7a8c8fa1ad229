import { chainAudit, tellAuditHeads } from '../domain/audit/chain-audit.ts'
import type { Service } from '../domain/service.ts'

const sweepMilliseconds = 1_000
// A chain that somebody has tampered with does not mend by itself, and its log line need not come every second.
const afterTroubleMilliseconds = 60_000
const tellMilliseconds = 60_000

/** Chains the audit behind the transactions that wrote it, and tells the log where the chains have come to. */
export function startChainingAudit(service: Service): { close(): Promise<void> } {
  let notBefore = 0
  let busy = false
  let running: Promise<void> = Promise.resolve()
  const sweep = setInterval(() => {
    if (!busy && Date.now() >= notBefore) running = run()
  }, sweepMilliseconds)
  const telling = setInterval(() => {
    tellAuditHeads(service).catch((error) =>
      service.log.warn({ err: error, job: 'chain-audit' }, 'heads of the audit could not be told'),
    )
  }, tellMilliseconds)

  async function run(): Promise<void> {
    busy = true
    try {
      if (!(await chainAudit(service))) notBefore = Date.now() + afterTroubleMilliseconds
    } catch (error) {
      service.log.warn({ err: error, job: 'chain-audit' }, 'the audit could not be looked at')
    } finally {
      busy = false
    }
  }

  return {
    async close() {
      clearInterval(sweep)
      clearInterval(telling)
      await running
    },
  }
}
