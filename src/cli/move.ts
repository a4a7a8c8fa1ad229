import { configuredTarget } from '../server/backup/database-target.ts'
import { move as moveData } from '../server/backup/move.ts'
import { parseFlags, required, UsageError } from './arguments.ts'
import { nextSteps } from './next-steps.ts'
import { readTransferConfig } from './read-transfer-config.ts'
import { createProgressReporter, formatBytes, formatCount } from './show-progress.ts'
import { print } from './with-service.ts'

export async function move(argv: string[]): Promise<number> {
  const { flags, words } = parseFlags(argv, ['to'])
  if (words.length > 0) throw new UsageError('Say where with --to, and nothing else.')
  const to = required(flags, 'to')
  if (to !== 'private' && !/^postgres(ql)?:\/\/\S+$/.test(to))
    throw new UsageError('--to must be an address that begins with postgres:// or the word private.')
  const { config, secretConfig, printLine } = readTransferConfig()
  const from = configuredTarget(config, secretConfig)
  if (to === 'private' && from.url === undefined)
    throw new UsageError('The data is in the private PostgreSQL already: DATABASE_URL is not set.')
  const target = { dataDir: config.dataDir, url: to === 'private' ? undefined : to }
  const { header, trailer, secretsIn } = await moveData({
    from,
    to: target,
    configuredSecrets: secretConfig.secrets,
    printLine,
    onProgress: createProgressReporter(),
  })
  const { rows, bytes } = trailer
  print(flags, { tables: header.tables.length, rows, bytes, secretsIn }, [
    `${header.tables.length} tables, ${formatCount(rows)} rows, ${formatBytes(bytes)} have moved; counts and digests match.`,
    ...nextSteps(target, secretsIn),
    'The old database is as it was. Do not start Handrail on it again; remove it when the new one has proved itself.',
  ])
  return 0
}
