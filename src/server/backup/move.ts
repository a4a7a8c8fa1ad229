import type { Secrets } from '../config.ts'
import { blockStarts, requireNoService } from '../storage/backup/connection.ts'
import { load } from '../storage/backup/load.ts'
import { backupFormat, type Header } from '../storage/backup/parts.ts'
import { requireEmpty } from '../storage/backup/require-empty.ts'
import { beginSnapshot, exportTables } from '../storage/backup/snapshot.ts'
import { version } from '../version.ts'
import { type DatabaseTarget, openTarget, requireDatabase } from './database-target.ts'
import { prepareTarget } from './prepare-target.ts'
import { type ReportProgress, withProgress } from './progress.ts'
import type { RestoreResult } from './restore.ts'
import { findSecrets, requireMatchingSecrets, storeSecrets } from './target-secrets.ts'

const hintIfNotEmpty = 'another --to, or with --to private a new DATA_DIR'

/** Copies one database directly into another. The source is not changed. */
export async function move(options: {
  from: DatabaseTarget
  to: DatabaseTarget
  configuredSecrets: Partial<Secrets>
  printLine(line: string): void
  onProgress: ReportProgress
}): Promise<RestoreResult> {
  const { from, to, configuredSecrets, printLine, onProgress } = options
  requireDatabase(from)
  const source = await openTarget(from, true, printLine)
  try {
    // Checked before the snapshot, which must include what a service writes while it shuts down,
    // and again after blockStarts, because a service may have started just before that.
    await requireNoService(source.connection)
    const snapshot = await beginSnapshot(source.connection)
    await blockStarts(source.connection)
    await requireNoService(source.connection)
    const header: Header = { handrailBackup: backupFormat, version, ...snapshot, secrets: null }
    const secrets = requireMatchingSecrets(
      await findSecrets(from, configuredSecrets),
      header.fingerprints,
      'set the same secrets as for the service.',
    )
    const target = await openTarget(to, true, printLine)
    try {
      await requireNoService(target.connection)
      await requireEmpty(target.connection, hintIfNotEmpty)
      const secretsIn = await storeSecrets(to, secrets, configuredSecrets)
      const parts = withProgress(header, exportTables(source.connection, header), onProgress)
      const trailer = await load(target.connection, header, parts, hintIfNotEmpty)
      await prepareTarget(target.url, secrets)
      return { header, trailer, secretsIn }
    } finally {
      await target.close()
    }
  } finally {
    await source.close()
  }
}
