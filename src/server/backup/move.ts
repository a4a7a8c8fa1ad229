import type { Secrets } from '../config.ts'
import { holdStarts, requireAlone } from '../storage/backup/connection.ts'
import { load } from '../storage/backup/load.ts'
import { backupFormat, type Header } from '../storage/backup/parts.ts'
import { beginSnapshot, readOut } from '../storage/backup/snapshot.ts'
import { version } from '../version.ts'
import { type DatabaseTarget, openTarget, refuseNoDatabase } from './database-target.ts'
import { prepareTarget } from './prepare-target.ts'
import { type Report, reported } from './progress.ts'
import type { Restored } from './restore.ts'
import { leaveSecrets, requireFitting, secretsOf } from './secrets-of-place.ts'

/** From one database straight into another. The old one stays as it is. */
export async function move(options: {
  from: DatabaseTarget
  to: DatabaseTarget
  given: Partial<Secrets>
  printLine(line: string): void
  report: Report
}): Promise<Restored> {
  const { from, to, given, printLine, report } = options
  refuseNoDatabase(from)
  const source = await openTarget(from, true, printLine)
  try {
    // Before the snapshot, too: what a service writes while it leaves must be in it.
    await requireAlone(source.connection)
    const facts = await beginSnapshot(source.connection)
    await holdStarts(source.connection)
    await requireAlone(source.connection)
    const header: Header = { handrailBackup: backupFormat, version, ...facts, secrets: null }
    const secrets = requireFitting(
      await secretsOf(from, given),
      header.fingerprints,
      'Set the secrets as for the service.',
    )
    const target = await openTarget(to, true, printLine)
    try {
      await requireAlone(target.connection)
      const secretsIn = await leaveSecrets(to, secrets, given)
      const parts = reported(header, readOut(source.connection, header), report)
      const trailer = await load(target.connection, header, parts)
      await prepareTarget(target.url, secrets)
      return { header, trailer, secretsIn }
    } finally {
      await target.close()
    }
  } finally {
    await source.close()
  }
}
