import type { Secrets } from '../config.ts'
import { backupFormat, type Header } from '../storage/backup/parts.ts'
import { beginSnapshot, exportTables } from '../storage/backup/snapshot.ts'
import { version } from '../version.ts'
import { type DatabaseTarget, openTarget, requireDatabase } from './database-target.ts'
import { type Progress, type ReportProgress, withProgress } from './progress.ts'
import { sealSecrets } from './sealed-secrets.ts'
import { findSecrets, requireMatchingSecrets } from './target-secrets.ts'
import { writeFile } from './write-file.ts'

/**
 * Writes a backup file, with or without a running service. `size` is the size of the file, `bytes`
 * the uncompressed size of the rows in it.
 */
export async function backUp(options: {
  from: DatabaseTarget
  file: string
  configuredSecrets: Partial<Secrets>
  passphrase: string | undefined
  printLine(line: string): void
  onProgress: ReportProgress
}): Promise<{ header: Header; size: number; rows: number; bytes: number }> {
  const { from, file, configuredSecrets, passphrase, printLine, onProgress } = options
  requireDatabase(from)
  const source = await openTarget(from, false, printLine)
  try {
    const snapshot = await beginSnapshot(source.connection)
    const secrets =
      passphrase === undefined
        ? null
        : await sealSecrets(
            requireMatchingSecrets(
              await findSecrets(from, configuredSecrets),
              snapshot.fingerprints,
              'set the same secrets as for the service, or omit --passphrase.',
            ),
            passphrase,
          )
    const header: Header = { handrailBackup: backupFormat, version, ...snapshot, secrets }
    let last: Progress | undefined
    const parts = withProgress(header, exportTables(source.connection, header), (progress) => {
      last = progress
      onProgress(progress)
    })
    return { header, size: await writeFile(file, header, parts), rows: last!.rows, bytes: last!.bytes }
  } finally {
    await source.close()
  }
}
