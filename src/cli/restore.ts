import { resolve } from 'node:path'
import { configuredTarget } from '../server/backup/database-target.ts'
import { restore as restoreFile } from '../server/backup/restore.ts'
import { parseArguments, UsageError } from './arguments.ts'
import { nextSteps } from './next-steps.ts'
import { readPassphrase } from './read-passphrase.ts'
import { readTransferConfig } from './read-transfer-config.ts'
import { createProgressReporter, formatBytes, formatCount } from './show-progress.ts'
import { print } from './with-service.ts'

export async function restore(argv: string[]): Promise<number> {
  const { flags, positionals } = parseArguments(argv, [], ['passphrase', 'json'])
  const [file = ''] = positionals
  if (positionals.length !== 1 || file === '') throw new UsageError('Expected one file to read.')
  const { config, secretConfig, printLine } = readTransferConfig()
  const to = configuredTarget(config, secretConfig)
  const { header, trailer, secretsIn } = await restoreFile({
    file: resolve(file),
    to,
    configuredSecrets: secretConfig.secrets,
    passphrase: flags.passphrase ? () => readPassphrase(secretConfig) : undefined,
    printLine,
    onProgress: createProgressReporter(),
  })
  const { rows, bytes } = trailer
  print(flags, { file, tables: header.tables.length, rows, bytes, takenAt: header.takenAt, secretsIn }, [
    `Restored all data as of ${header.takenAt}.`,
    `${header.tables.length} tables, ${formatCount(rows)} rows, ${formatBytes(bytes)}; counts and digests match.`,
    ...nextSteps(to, secretsIn),
  ])
  return 0
}
