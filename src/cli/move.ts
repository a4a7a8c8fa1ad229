import { configuredTarget } from '../server/backup/database-target.ts'
import { move as moveData } from '../server/backup/move.ts'
import { parseFlags, requireFlag, UsageError } from './arguments.ts'
import { nextSteps } from './next-steps.ts'
import { readTransferConfig } from './read-transfer-config.ts'
import { createProgressReporter, formatBytes, formatCount } from './show-progress.ts'
import { print } from './with-service.ts'

export async function move(argv: string[]): Promise<number> {
  const { flags } = parseFlags(argv, ['to'])
  const to = requireFlag(flags, 'to')
  if (to !== 'private' && !/^postgres(ql)?:\/\/\S+$/.test(to))
    throw new UsageError('--to must be a postgres:// URL or the word private.')
  const { config, secretConfig, printLine } = readTransferConfig()
  const from = configuredTarget(config, secretConfig)
  if (to === 'private' && from.url === undefined)
    throw new UsageError('The data is already in the private PostgreSQL: DATABASE_URL is not set.')
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
    `Copied ${header.tables.length} tables, ${formatCount(rows)} rows, ${formatBytes(bytes)}; counts and digests match.`,
    ...nextSteps(target, secretsIn),
    'The old database was not changed. Do not start Handrail on it again; delete it once the new one works.',
  ])
  return 0
}
