import { WorkspaceId } from '../contract/ids.ts'
import { configuredTarget, requireDatabase } from '../server/backup/database-target.ts'
import { readConfig } from '../server/config.ts'
import type { Service } from '../server/domain/service.ts'
import { findWorkspacesByName, listWorkspaces } from '../server/domain/workspaces/operator.ts'
import { openService } from '../server/open-service.ts'
import { localUrl } from '../server/public-url.ts'
import { UsageError } from './arguments.ts'

const maxNamed = 20

/**
 * Migrates the database, opens a service on it, runs `work` and closes the service. Handrail may be
 * running meanwhile. `canCreateDatabase`: creates the private database if it is missing, which only
 * commands that set up an installation may do. `refusesPendingChanges`: fails instead of migrating.
 */
export async function withService<T>(
  work: (service: Service) => Promise<T>,
  { canCreateDatabase = false, refusesPendingChanges = false } = {},
): Promise<T> {
  const { config, secretConfig } = readConfig({ ...process.env, LOG_LEVEL: process.env.LOG_LEVEL || 'warn' })
  if (!canCreateDatabase) requireDatabase(configuredTarget(config, secretConfig))
  const publicUrl = config.publicUrl ?? localUrl(config)
  // Standard output is reserved for the result.
  const printLine = (line: string) => process.stderr.write(`${line}\n`)
  const { service, close } = await openService({
    config,
    secretConfig,
    as: 'command',
    refusesPendingChanges,
    publicUrl,
    printLine,
  })
  try {
    return await work(service)
  } finally {
    await close()
  }
}

/** Finds a workspace by its id or name. If `wanted` is undefined, there must be exactly one workspace. */
export async function findWorkspaceId(service: Service, wanted: string | undefined): Promise<string> {
  const found: { id: string; name?: string }[] =
    wanted === undefined
      ? await listWorkspaces(service)
      : WorkspaceId.safeParse(wanted).success
        ? (await listWorkspaces(service)).filter(({ id }) => id === wanted)
        : await findWorkspacesByName(service, wanted)
  if (found.length === 1) return found[0]!.id
  if (wanted === undefined && found.length > 1)
    throw new UsageError(`There are several workspaces: ${nameSome(found)}. Choose one with --workspace.`)
  if (found.length > 1)
    throw new UsageError(
      `Several workspaces are named "${wanted}". Use the id: ${found.map(({ id }) => id).join(', ')}.`,
    )
  throw new UsageError(
    wanted === undefined
      ? 'There is no workspace yet. Run handrail setup.'
      : `There is no workspace "${wanted}". Check its name or id.`,
  )
}

function nameSome(workspaces: { id: string; name?: string }[]): string {
  const named = workspaces.slice(0, maxNamed).map(({ id, name }) => `"${name}" (${id})`)
  const more = workspaces.length - named.length
  return named.join(', ') + (more > 0 ? ` and ${more} more` : '')
}

export function print(
  flags: { json?: string | boolean | undefined },
  result: unknown,
  lines: string[],
): void {
  process.stdout.write(flags.json ? `${JSON.stringify(result)}\n` : `${lines.join('\n')}\n`)
}
