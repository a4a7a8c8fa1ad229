import { ConfigError, readConfig } from '../server/config.ts'
import { checkDatabase, requestsMayCreateTemporaryTables } from '../server/domain/check-database.ts'
import { isSetUpNeeded } from '../server/domain/workspaces/set-up.ts'
import { version } from '../server/version.ts'
import { parseFlags } from './arguments.ts'
import { print, withService } from './with-service.ts'

type Finding = { check: string; ok: boolean; detail: string }
type AddFinding = (check: string, ok: boolean, detail: string) => void

/** Prints one finding per line. The exit code is 1 if any check failed. */
export async function doctor(argv: string[]): Promise<number> {
  const { flags } = parseFlags(argv, [])
  const findings: Finding[] = [
    { check: 'version', ok: true, detail: `Handrail ${version} on Node ${process.versions.node}` },
  ]
  const addFinding = (check: string, ok: boolean, detail: string) => findings.push({ check, ok, detail })
  try {
    const { config, secretConfig } = readConfig(process.env)
    addFinding(
      'configuration',
      true,
      secretConfig.databaseUrl ? 'uses DATABASE_URL' : `private PostgreSQL in ${config.dataDir}`,
    )
    const isRunning = await checkService(
      addFinding,
      config.publicUrl ?? `http://${config.host}:${config.port}`,
    )
    if (isRunning && config.publicUrl) await checkConnectedApps(addFinding, config.publicUrl)
  } catch (error) {
    if (error instanceof ConfigError)
      for (const mistake of error.mistakes) addFinding('configuration', false, mistake)
    else addFinding('database', false, error instanceof Error ? error.message : String(error))
  }
  const ok = findings.every((finding) => finding.ok)
  print(flags, { ok, findings }, [
    ...findings.map(
      (finding) => `${finding.ok ? 'ok    ' : 'FAILED'} ${finding.check.padEnd(15)} ${finding.detail}`,
    ),
    ok ? 'No problems found.' : 'Fix the lines marked FAILED.',
  ])
  return ok ? 0 : 1
}

/** Returns whether the service responds. */
async function checkService(addFinding: AddFinding, address: string): Promise<boolean> {
  await withService(async (service) => {
    const database = await checkDatabase(service)
    addFinding(
      'database',
      database === 'ok',
      database === 'ok' ? 'reachable; schema and secrets match' : `is ${database}`,
    )
    const canCreate = await requestsMayCreateTemporaryTables(service)
    addFinding(
      'database rights',
      true,
      canCreate
        ? 'requests can create temporary tables; to prevent it, run as owner of the database: REVOKE TEMPORARY ON DATABASE <name> FROM PUBLIC'
        : 'requests cannot create temporary tables',
    )
    const needed = await isSetUpNeeded(service)
    addFinding(
      'setup',
      true,
      needed ? 'no owner yet: run npm start and open the link it prints, or run handrail setup' : 'done',
    )
  })
  const response = await fetch(`${address}/health`, { signal: AbortSignal.timeout(3_000) }).catch(
    () => undefined,
  )
  if (!response)
    addFinding('service', true, `no response from ${address}; it is not running, or has another HOST or PORT`)
  else addFinding('service', response.ok, `${address}/health returned ${response.status}`)
  return response?.ok === true
}

/** Apps look for this document at the root of the host, so a proxy for a path must pass it too. */
async function checkConnectedApps(addFinding: AddFinding, publicUrl: string): Promise<void> {
  const issuer = `${publicUrl}/api/auth`
  const { origin, pathname } = new URL(issuer)
  const path = `/.well-known/oauth-authorization-server${pathname}`
  const response = await fetch(origin + path, { signal: AbortSignal.timeout(3_000) }).catch(() => undefined)
  const metadata = (await response?.json().catch(() => undefined)) as { issuer?: unknown } | undefined
  const isOurs = metadata?.issuer === issuer
  addFinding(
    'connected apps',
    isOurs,
    isOurs
      ? 'can find this service'
      : `cannot find this service: the proxy must pass ${path} at the root of the host`,
  )
}
