import type { Secrets } from '../config.ts'
import { requireNoService } from '../storage/backup/connection.ts'
import { load, requireKnownMigrations } from '../storage/backup/load.ts'
import type { Header, Trailer } from '../storage/backup/parts.ts'
import { requireEmpty } from '../storage/backup/require-empty.ts'
import { type DatabaseTarget, openTarget } from './database-target.ts'
import { prepareTarget } from './prepare-target.ts'
import { type ReportProgress, withProgress } from './progress.ts'
import { openFile } from './read-file.ts'
import { openSecrets } from './sealed-secrets.ts'
import { findSecrets, requireMatchingSecrets, storeSecrets } from './target-secrets.ts'

/** `secretsIn`: the file with the secrets, if the operator has to pass them to the service. */
export type RestoreResult = { header: Header; trailer: Trailer; secretsIn: string | undefined }

const hintIfNotEmpty = 'another DATABASE_URL, or a new DATA_DIR'

/** Loads a backup file. Checks as much as possible before it changes the database. */
export async function restore(options: {
  file: string
  to: DatabaseTarget
  configuredSecrets: Partial<Secrets>
  /** Called only if the file contains sealed secrets. */
  passphrase: (() => Promise<string>) | undefined
  printLine(line: string): void
  onProgress: ReportProgress
}): Promise<RestoreResult> {
  const { file, to, configuredSecrets, printLine, onProgress } = options
  const { header, parts, close } = await openFile(file)
  try {
    requireKnownMigrations(header)
    const opened =
      header.secrets && options.passphrase
        ? await openSecrets(header.secrets, await options.passphrase())
        : undefined
    const secrets = requireMatchingSecrets(
      { ...opened, ...(await findSecrets(to, configuredSecrets)) },
      header.fingerprints,
      opened
        ? 'the backup contains its own secrets: unset these variables, or use a DATA_DIR without a secrets.json.'
        : header.secrets
          ? 'the backup contains the secrets, encrypted: unset these variables and add --passphrase.'
          : 'the backup does not contain the secrets: set the variables of the old service, or copy its secrets.json to DATA_DIR.',
    )
    const target = await openTarget(to, true, printLine)
    try {
      await requireNoService(target.connection)
      await requireEmpty(target.connection, hintIfNotEmpty)
      const secretsIn = await storeSecrets(to, secrets, configuredSecrets)
      const trailer = await load(
        target.connection,
        header,
        withProgress(header, parts, onProgress),
        hintIfNotEmpty,
      )
      await prepareTarget(target.url, secrets)
      return { header, trailer, secretsIn }
    } finally {
      await target.close()
    }
  } finally {
    await close()
  }
}
