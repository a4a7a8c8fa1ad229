import type { Secrets } from '../config.ts'
import { createLogger } from '../lib/logger.ts'
import { checkFingerprints } from '../secrets.ts'
import { openDatabase } from '../storage/database.ts'

/** What a start does with its database, so that the first one finds nothing to do: roles and policies, secrets compared. */
export async function moveIn(url: string, secrets: Secrets): Promise<void> {
  const database = await openDatabase({
    url,
    directUrl: url,
    poolSize: 1,
    endSilent: false,
    log: createLogger('warn'),
  })
  try {
    await checkFingerprints(database, secrets)
  } finally {
    await database.close()
  }
}
