import { ConfigError, readConfig } from '../server/config.ts'
import { checkDatabase, requestsMayCreateTemporaryTables } from '../server/domain/check-database.ts'
import { isSetUpNeeded } from '../server/domain/workspaces/set-up.ts'
import { version } from '../server/version.ts'
import { parseFlags } from './arguments.ts'
import { print, withService } from './with-service.ts'

type Finding = { check: string; ok: boolean; detail: string }

/** One finding a line; the exit code tells whether anything is wrong. */
export async function doctor(argv: string[]): Promise<number> {
  const { flags } = parseFlags(argv, [])
  const findings: Finding[] = [
    { check: 'version', ok: true, detail: `Handrail ${version} on Node ${process.versions.node}` },
  ]
  const note = (check: string, ok: boolean, detail: string) => findings.push({ check, ok, detail })
  try {
    const { config, secretConfig } = readConfig(process.env)
    note(
      'configuration',
      true,
      secretConfig.databaseUrl ? 'DATABASE_URL is used' : `private PostgreSQL in ${config.dataDir}`,
    )
    await lookInside(note, config.publicUrl ?? `http://${config.host}:${config.port}`)
  } catch (error) {
    if (error instanceof ConfigError)
      for (const mistake of error.mistakes) note('configuration', false, mistake)
    else note('database', false, error instanceof Error ? error.message : String(error))
  }
  const ok = findings.every((finding) => finding.ok)
  print(flags, { ok, findings }, [
    ...findings.map(
      (finding) => `${finding.ok ? 'ok    ' : 'WRONG '} ${finding.check.padEnd(15)} ${finding.detail}`,
    ),
    ok ? 'Nothing is wrong.' : 'See the lines marked WRONG.',
  ])
  return ok ? 0 : 1
}

async function lookInside(
  note: (check: string, ok: boolean, detail: string) => void,
  address: string,
): Promise<void> {
  await withService(async (service) => {
    const database = await checkDatabase(service)
    note(
      'database',
      database === 'ok',
      database === 'ok' ? 'answers; schema and secrets fit' : `is ${database}`,
    )
    const may = await requestsMayCreateTemporaryTables(service)
    note(
      'database rights',
      true,
      may
        ? 'requests may create temporary tables; as owner of the database: REVOKE TEMPORARY ON DATABASE <name> FROM PUBLIC'
        : 'requests cannot create temporary tables',
    )
    const needed = await isSetUpNeeded(service)
    note('set-up', true, needed ? 'no owner yet: run npm start and open the link, or handrail setup' : 'done')
  })
  const response = await fetch(`${address}/health`, { signal: AbortSignal.timeout(3_000) }).catch(
    () => undefined,
  )
  if (!response) note('service', true, `not running at ${address}, or at another address`)
  else note('service', response.ok, `${address}/health answers ${response.status}`)
}
