import { existsSync } from 'node:fs'
import type { Config, SecretConfig } from '../config.ts'
import { chooseDataFolder, isInitialised } from '../postgres/data-folder.ts'
import { openPrivatePostgres } from '../postgres/private-postgres.ts'
import { BackupError } from '../storage/backup/backup-error.ts'
import { type Connection, connectTo, disconnect } from '../storage/backup/connection.ts'

/** A database where data is or will be: the private one of a data folder, or one with an address. */
export type DatabaseTarget = { dataDir: string; url: string | undefined }

export type OpenTarget = { url: string; connection: Connection; close(): Promise<void> }

export function configuredTarget({ dataDir }: Config, { databaseDirectUrl }: SecretConfig): DatabaseTarget {
  return { dataDir, url: databaseDirectUrl }
}

/** `alone`: no service may run on the private one, nor start before this is closed. */
export async function openTarget(
  where: DatabaseTarget,
  alone: boolean,
  printLine: (line: string) => void,
): Promise<OpenTarget> {
  const postgres = where.url
    ? undefined
    : await openPrivatePostgres({ dataDir: where.dataDir, as: alone ? 'service' : 'tool', printLine })
  const url = where.url ?? postgres!.connectionString
  try {
    const connection = await connectTo(url, postgres && `in ${where.dataDir}`)
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

/** A data folder named by mistake must not come to life as an empty database. */
export function refuseNoDatabase({ dataDir, url }: DatabaseTarget): void {
  if (url !== undefined) return
  // Asked first, because choosing makes the folder.
  if (existsSync(dataDir) && isInitialised(chooseDataFolder(dataDir, () => undefined).path)) return
  throw new BackupError(
    `There is no database in ${dataDir}. Run this in the folder Handrail runs in, or set DATA_DIR or DATABASE_URL as for the service. If there never was one, npm start makes it.`,
  )
}
