import type { Secrets } from '../config.ts'
import { requireAlone } from '../storage/backup/connection.ts'
import { load, refuseNewerBackup } from '../storage/backup/load.ts'
import type { Header, Trailer } from '../storage/backup/parts.ts'
import { type DatabaseTarget, openTarget } from './database-target.ts'
import { prepareTarget } from './prepare-target.ts'
import { type Report, reported } from './progress.ts'
import { openFile } from './read-file.ts'
import { openSecrets } from './sealed-secrets.ts'
import { leaveSecrets, requireFitting, secretsOf } from './secrets-of-place.ts'

/** `secretsIn`: the file the operator must take the secrets from, where they are not where the service finds them. */
export type Restored = { header: Header; trailer: Trailer; secretsIn: string | undefined }

/** Everything that can be known to be wrong is found before the database is touched. */
export async function restore(options: {
  file: string
  to: DatabaseTarget
  given: Partial<Secrets>
  /** Asked for only if the file has something to open with it. */
  passphrase: (() => Promise<string>) | undefined
  printLine(line: string): void
  report: Report
}): Promise<Restored> {
  const { file, to, given, printLine, report } = options
  const { header, parts, close } = await openFile(file)
  try {
    refuseNewerBackup(header)
    const opened =
      header.secrets && options.passphrase
        ? await openSecrets(header.secrets, await options.passphrase())
        : undefined
    const secrets = requireFitting(
      { ...opened, ...(await secretsOf(to, given)) },
      header.fingerprints,
      opened
        ? 'The backup brings its own: unset these variables, or use a DATA_DIR without a secrets.json.'
        : header.secrets
          ? 'The backup holds them under a passphrase: add --passphrase, and set none of them.'
          : 'The backup does not hold them: set the variables of the old service, or put its secrets.json into DATA_DIR first.',
    )
    const place = await openTarget(to, true, printLine)
    try {
      await requireAlone(place.connection)
      const secretsIn = await leaveSecrets(to, secrets, given)
      const trailer = await load(place.connection, header, reported(header, parts, report))
      await prepareTarget(place.url, secrets)
      return { header, trailer, secretsIn }
    } finally {
      await place.close()
    }
  } finally {
    await close()
  }
}
