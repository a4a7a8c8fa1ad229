import { existsSync } from 'node:fs'
import type { Config, SecretConfig } from '../config.ts'
import { StartError } from '../lib/start-error.ts'
import { chooseDataFolder, isInitialized } from '../postgres/data-folder.ts'
import { openPrivatePostgres } from '../postgres/private-postgres.ts'
import { type Connection, connectTo, disconnect } from '../storage/backup/connection.ts'

/** The database to read or write: at `url`, or the private one in `dataDir` if there is no `url`. */
export type DatabaseTarget = { dataDir: string; url: string | undefined }

export type OpenTarget = { url: string; connection: Connection; close(): Promise<void> }

export function configuredTarget({ dataDir }: Config, { databaseDirectUrl }: SecretConfig): DatabaseTarget {
  return { dataDir, url: databaseDirectUrl }
}

/**
 * `exclusive`: fails if a service runs on a private database, and prevents one from starting before
 * `close`. A database at a URL is not locked here.
 */
export async function openTarget(
  target: DatabaseTarget,
  exclusive: boolean,
  printLine: (line: string) => void,
): Promise<OpenTarget> {
  const postgres = target.url
    ? undefined
    : await openPrivatePostgres({ dataDir: target.dataDir, as: exclusive ? 'service' : 'command', printLine })
  const url = target.url ?? postgres!.connectionString
  try {
    const connection = await connectTo(url, postgres && `in ${target.dataDir}`)
    return {
      url,
      connection,
      async close() {
        await disconnect(connection)
        await postgres?.close()
      },
    }
  } catch (error) {
    await postgres?.close()
    throw error
  }
}

/** Prevents a mistyped data folder from being created as an empty database. */
export function requireDatabase({ dataDir, url }: DatabaseTarget): void {
  if (url !== undefined) return
  // Checked before chooseDataFolder is called, which creates the folder.
  if (existsSync(dataDir) && isInitialized(chooseDataFolder(dataDir, () => undefined).path)) return
  throw new StartError(
    `There is no database in ${dataDir}. Set DATA_DIR or DATABASE_URL as for the service, or start Handrail to create one.`,
  )
}
