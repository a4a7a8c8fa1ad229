import { WorkspaceId } from '../contract/ids.ts'
import { configuredTarget, requireDatabase } from '../server/backup/database-target.ts'
import { readConfig } from '../server/config.ts'
import type { OperatorActor } from '../server/domain/actor.ts'
import type { Service } from '../server/domain/service.ts'
import { findWorkspacesByName, listWorkspaces } from '../server/domain/workspaces/operator.ts'
import { openService } from '../server/open-service.ts'
import { UsageError } from './arguments.ts'

/**
 * The service without its doors. Works beside a running service or alone. A private
 * database that is not there yet is made only by commands that are there to begin with one.
 */
export async function withService<T>(
  work: (service: Service) => Promise<T>,
  { mayMake = false } = {},
): Promise<T> {
  const { config, secretConfig } = readConfig({ ...process.env, LOG_LEVEL: process.env.LOG_LEVEL || 'warn' })
  if (!mayMake) requireDatabase(configuredTarget(config, secretConfig))
  const publicUrl = config.publicUrl ?? `http://${config.host}:${config.port}`
  // Standard output is for the result alone.
  const printLine = (line: string) => process.stderr.write(`${line}\n`)
  const { service, close } = await openService({ config, secretConfig, as: 'tool', publicUrl, printLine })
  try {
    return await work(service)
  } finally {
    await close()
  }
}

/** By id or by name; without either, the only one there is. */
export async function findWorkspaceId(service: Service, wanted: string | undefined): Promise<string> {
  const found =
    wanted === undefined
      ? await listWorkspaces(service)
      : WorkspaceId.safeParse(wanted).success
        ? (await listWorkspaces(service)).filter(({ id }) => id === wanted)
        : await findWorkspacesByName(service, wanted)
  if (found.length === 1) return found[0]!.id
  if (wanted === undefined && found.length > 1)
    throw new UsageError('There are several workspaces. Name one with --workspace.')
  if (found.length > 1)
    throw new UsageError(
      `Several workspaces are called "${wanted}". Use the id: ${found.map(({ id }) => id).join(', ')}.`,
    )
  throw new UsageError(
    wanted === undefined
      ? 'There is no workspace yet. Run handrail setup.'
      : `There is no workspace "${wanted}".`,
  )
}

export function operator(workspaceId: string): OperatorActor {
  return { kind: 'operator', workspaceId, id: 'service', from: 'command line' }
}

export function print(
  flags: { json?: string | boolean | undefined },
  result: unknown,
  lines: string[],
): void {
  process.stdout.write(flags.json ? `${JSON.stringify(result)}\n` : `${lines.join('\n')}\n`)
}
