import type { Secrets } from '../config.ts'
import { createLogger } from '../lib/logger.ts'
import { checkFingerprints, signUnsignedAuditHeads } from '../secrets.ts'
import { openDatabase } from '../storage/engine/database.ts'

/** Does the first start's work in advance: creates roles and policies, checks secrets, signs audit heads. */
export async function prepareTarget(url: string, secrets: Secrets): Promise<void> {
  const log = createLogger('warn')
  const database = await openDatabase({
    url,
    directUrl: url,
    poolSize: 1,
    killStalledConnections: false,
    log,
  })
  try {
    await checkFingerprints(database, secrets)
    await signUnsignedAuditHeads(database, secrets, log)
  } finally {
    await database.close()
  }
}
