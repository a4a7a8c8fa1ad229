import { ConfigError, readConfig } from '../server/config.ts'
import { checkDatabase, temporaryTablesRole } from '../server/domain/check-database.ts'
import { checkPolicies } from '../server/domain/review/check-policies.ts'
import type { Service } from '../server/domain/service.ts'
import { isSetUpNeeded } from '../server/domain/workspaces/set-up.ts'
import { localUrl } from '../server/public-url.ts'
import { version } from '../server/version.ts'
import { parseFlags } from './arguments.ts'
import { print, withService } from './with-service.ts'

/** `note`: the detail is a recommendation, not a problem. */
type Finding = { check: string; ok: boolean; detail: string; note?: true }
type AddFinding = (check: string, result: boolean | 'note', detail: string) => void

/** Prints one finding per line. The exit code is 1 if any check failed. Runs no migrations. */
export async function doctor(argv: string[]): Promise<number> {
  const { flags } = parseFlags(argv, [])
  const findings: Finding[] = [
    { check: 'version', ok: true, detail: `Handrail ${version} on Node ${process.versions.node}` },
  ]
  const addFinding: AddFinding = (check, result, detail) =>
    findings.push({ check, ok: result !== false, detail, ...(result === 'note' && { note: true }) })
  try {
    const { config, secretConfig } = readConfig(process.env)
    addFinding(
      'storage',
      true,
      secretConfig.databaseUrl ? 'DATABASE_URL' : `private PostgreSQL in ${config.dataDir}`,
    )
    if (config.workers > 1)
      addFinding('workers', true, `${config.workers} processes serve requests (WORKERS)`)
    if (config.oidc) await checkIdentityProvider(addFinding, config.oidc.issuer)
    await checkInstallation(addFinding)
    const isRunning = await checkService(addFinding, config)
    if (isRunning && config.publicUrl)
      await checkConnectedApps(addFinding, config.publicUrl, config.mcpPublicUrl)
  } catch (error) {
    if (error instanceof ConfigError)
      for (const mistake of error.mistakes) addFinding('configuration', false, mistake)
    else addFinding('database', false, error instanceof Error ? error.message : String(error))
  }
  const ok = findings.every((finding) => finding.ok)
  print(flags, { ok, findings }, [
    ...findings.map((finding) => `${markOf(finding)} ${finding.check.padEnd(15)} ${finding.detail}`),
    ok ? 'No problems found.' : 'Fix the lines marked FAILED.',
  ])
  return ok ? 0 : 1
}

function markOf({ ok, note }: Finding): string {
  if (!ok) return 'FAILED'
  return note ? 'note  ' : 'ok    '
}

const databaseDetails: Record<Awaited<ReturnType<typeof checkDatabase>>, string> = {
  ok: 'reachable; schema and secrets match',
  degraded:
    'an event has waited more than 5 seconds for a running transaction: find it in pg_stat_activity (xact_start)',
  failed:
    'did not respond within 2 seconds, or returned an error: check DATABASE_URL and the log of PostgreSQL',
}

async function checkInstallation(addFinding: AddFinding): Promise<void> {
  const check = async (service: Service) => {
    const database = await checkDatabase(service)
    addFinding('database', database === 'ok', databaseDetails[database])
    const role = await temporaryTablesRole(service)
    addFinding(
      'database rights',
      role ? 'note' : true,
      role
        ? `requests can create temporary tables; to prevent it, run as owner of the database: REVOKE TEMPORARY ON DATABASE <name> FROM PUBLIC, ${role}`
        : 'requests cannot create temporary tables',
    )
    const needed = await isSetUpNeeded(service)
    addFinding(
      'setup',
      needed ? 'note' : true,
      needed
        ? "no owner yet: open the setup link in the service's log (every start prints it), or run handrail setup"
        : 'done',
    )
    const warnings = await checkPolicies(service)
    for (const { workspace, about, name, warning } of warnings)
      addFinding('policies', 'note', `workspace ${workspace}, ${about} ${name}: ${warning}`)
    if (warnings.length === 0) addFinding('policies', true, 'nothing to fix')
  }
  await withService(check, { refusesPendingChanges: true })
}

/** Returns whether the service is healthy at the URL that people use. */
async function checkService(
  addFinding: AddFinding,
  { publicUrl, host, port }: { publicUrl?: string | undefined; host: string; port: number },
): Promise<boolean> {
  const local = localUrl({ host, port })
  const url = publicUrl ?? local
  const response = await fetchBriefly(`${url}/health`)
  if (response) {
    addFinding('service', response.ok, `${url}/health returned ${response.status}`)
    return response.ok
  }
  const isProxyProblem = publicUrl !== undefined && (await fetchBriefly(`${local}/health`)) !== undefined
  addFinding(
    'service',
    false,
    isProxyProblem
      ? `no response from ${url}, although ${local} responds: check PUBLIC_URL, DNS and the proxy`
      : `no response from ${url}: start the service, or run doctor with the HOST, PORT and PUBLIC_URL of the service`,
  )
  return false
}

async function checkIdentityProvider(addFinding: AddFinding, issuer: string): Promise<void> {
  const { readMetadata } = await import('../server/lib/oidc-client.ts')
  try {
    await readMetadata(issuer)
    addFinding('single sign-on', true, `${issuer} can be reached`)
  } catch (error) {
    addFinding('single sign-on', false, (error as Error).message)
  }
}

/**
 * Apps look for two OAuth documents at the root of the host, so a proxy that passes only the path
 * of PUBLIC_URL hides them.
 */
async function checkConnectedApps(
  addFinding: AddFinding,
  publicUrl: string,
  mcpPublicUrl: string | undefined,
): Promise<void> {
  const check = 'connected apps'
  const resource = `${mcpPublicUrl ?? publicUrl}/mcp/connect`
  const hasMcp = (await fetchBriefly(resource))?.status === 401
  const hidden = [
    ...(await findHidden('oauth-authorization-server', 'issuer', `${publicUrl}/api/auth`)),
    ...(hasMcp ? await findHidden('oauth-protected-resource', 'resource', resource) : []),
  ]
  if (hidden.length > 0) {
    const paths = hidden.join(' and ')
    addFinding(check, false, `cannot find this service: the proxy must pass ${paths} at the root of the host`)
  } else if (!hasMcp) {
    const result = mcpPublicUrl === undefined ? 'note' : false
    addFinding(check, result, `no MCP server responds at ${resource}, so apps cannot connect`)
  } else addFinding(check, true, 'can find this service')
}

/** The well-known path at which apps look for the document about this URL, if they do not find it there. */
async function findHidden(kind: string, field: string, url: string): Promise<string[]> {
  const { origin, pathname } = new URL(url)
  const path = `/.well-known/${kind}${pathname}`
  const response = await fetchBriefly(origin + path)
  const document = (await response?.json().catch(() => undefined)) as Record<string, unknown> | undefined
  return document?.[field] === url ? [] : [path]
}

function fetchBriefly(url: string): Promise<Response | undefined> {
  return fetch(url, { signal: AbortSignal.timeout(3_000) }).catch(() => undefined)
}
