import type { Secrets } from '../config.ts'
import { backupFormat, type Header } from '../storage/backup/parts.ts'
import { beginSnapshot, readOut } from '../storage/backup/snapshot.ts'
import { version } from '../version.ts'
import { type DatabaseTarget, openTarget, refuseNoDatabase } from './database-target.ts'
import { type Progress, type Report, reported } from './progress.ts'
import { sealSecrets } from './sealed-secrets.ts'
import { requireFitting, secretsOf } from './secrets-of-place.ts'
import { writeFile } from './write-file.ts'

/** Beside a running service or without one. */
export async function backUp(options: {
  from: DatabaseTarget
  file: string
  given: Partial<Secrets>
  passphrase: string | undefined
  printLine(line: string): void
  report: Report
}): Promise<{ header: Header; size: number; rows: number; bytes: number }> {
  const { from, file, given, passphrase, printLine, report } = options
  refuseNoDatabase(from)
  const place = await openTarget(from, false, printLine)
  try {
    const facts = await beginSnapshot(place.connection)
    const secrets =
      passphrase === undefined
        ? null
        : await sealSecrets(
            requireFitting(
              await secretsOf(from, given),
              facts.fingerprints,
              'Set the secrets as for the service, or leave out --passphrase.',
            ),
            passphrase,
          )
    const header: Header = { handrailBackup: backupFormat, version, ...facts, secrets }
    let last: Progress | undefined
    const parts = reported(header, readOut(place.connection, header), (progress) => {
      last = progress
      report(progress)
    })
    return { header, size: await writeFile(file, header, parts), rows: last!.rows, bytes: last!.bytes }
  } finally {
    await place.close()
  }
}
