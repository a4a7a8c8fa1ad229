import { resolve } from 'node:path'
import { backUp } from '../server/backup/back-up.ts'
import { configuredTarget } from '../server/backup/database-target.ts'
import { describeSecretsLocation } from '../server/backup/target-secrets.ts'
import { parseArguments, UsageError } from './arguments.ts'
import { readPassphrase } from './read-passphrase.ts'
import { readTransferConfig } from './read-transfer-config.ts'
import { createProgressReporter, formatBytes, formatCount } from './show-progress.ts'
import { print } from './with-service.ts'

export async function backup(argv: string[]): Promise<number> {
  const { flags, positionals } = parseArguments(argv, [], ['passphrase', 'json'])
  const [file = ''] = positionals
  if (positionals.length !== 1 || file === '') throw new UsageError('Expected one file to write.')
  const { config, secretConfig, printLine } = readTransferConfig()
  const passphrase = flags.passphrase ? await readPassphrase(secretConfig, { twice: true }) : undefined
  const from = configuredTarget(config, secretConfig)
  const { header, size, rows, bytes } = await backUp({
    from,
    file: resolve(file),
    configuredSecrets: secretConfig.secrets,
    passphrase,
    printLine,
    onProgress: createProgressReporter(),
  })
  const tables = header.tables.length
  const result = {
    file,
    size, // of the compressed file
    tables,
    rows,
    bytes, // of the tables, without compression
    takenAt: header.takenAt,
    secrets: passphrase !== undefined,
  }
  print(flags, result, [
    `${file} contains all data as of ${header.takenAt}.`,
    `${tables} tables, ${formatCount(rows)} rows, ${formatBytes(bytes)} of data; file size ${formatBytes(size)}.`,
    passphrase !== undefined
      ? 'The secrets are included, encrypted with the passphrase. Without it they cannot be restored.'
      : `The secrets are not included. Save ${describeSecretsLocation(from, secretConfig.secrets)} as well, or use --passphrase.`,
  ])
  return 0
}
