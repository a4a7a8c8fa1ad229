import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { type Secrets, secretVariables } from '../config.ts'
import { fingerprintsOf, readStoredSecrets, secretsFile, storeSecretsOnce } from '../secrets.ts'
import { BackupError } from '../storage/backup/backup-error.ts'
import type { DatabaseTarget } from './database-target.ts'

/**
 * The secrets a service on this database would start with: the configured ones, and for the rest
 * those in its data folder.
 */
export async function findSecrets(
  { dataDir, url }: DatabaseTarget,
  configuredSecrets: Partial<Secrets>,
): Promise<Partial<Secrets>> {
  return { ...(url === undefined && (await readStoredSecrets(dataDir))), ...configuredSecrets }
}

/**
 * What an operator has to save beside a backup without secrets. secrets.json is part of it only if
 * some secrets are not configured: otherwise a service does not read it.
 */
export function describeSecretsLocation(
  { dataDir, url }: DatabaseTarget,
  configuredSecrets: Partial<Secrets>,
): string {
  if (url !== undefined || areAllConfigured(configuredSecrets)) return 'the four secret variables'
  const configured = Object.entries(secretVariables).flatMap(([key, name]) =>
    key in configuredSecrets ? [name] : [],
  )
  return [...configured, secretsFile(dataDir)].join(' and ')
}

function areAllConfigured(configuredSecrets: Partial<Secrets>): boolean {
  return Object.keys(secretVariables).every((key) => key in configuredSecrets)
}

/**
 * Requires all four secrets, and that the data was written with the same ones. `instruction`
 * completes the sentence "Nothing was changed; …".
 */
export function requireMatchingSecrets(
  secrets: Partial<Secrets>,
  expected: Record<string, string>,
  instruction: string,
): Secrets {
  const found = fingerprintsOf(secrets)
  const variables = Object.values(secretVariables)
  const missing = variables.filter((variable) => found[variable] === undefined)
  const different = variables.filter(
    (variable) => found[variable] !== undefined && found[variable] !== expected[variable],
  )
  if (missing.length + different.length === 0) return secrets as Secrets
  const problems = [
    ...(missing.length > 0 ? [`Missing: ${missing.join(', ')}`] : []),
    ...(different.length > 0 ? [`Different from when this data was written: ${different.join(', ')}`] : []),
  ]
  throw new BackupError(`${problems.join('; ')}. Nothing was changed; ${instruction}`)
}

/**
 * Stores the secrets where the next start finds them. A data folder without secrets gets them even
 * if all are configured, so that a service can start on it without the variables of the old
 * service. For a database at a URL, writes the secrets as variables to a file and returns its path,
 * unless they are configured: the operator has to pass them to the service.
 */
export async function storeSecrets(
  { dataDir, url }: DatabaseTarget,
  secrets: Secrets,
  configuredSecrets: Partial<Secrets>,
): Promise<string | undefined> {
  const areConfigured = areAllConfigured(configuredSecrets)
  if (url !== undefined) return areConfigured ? undefined : await writeVariables(dataDir, secrets)
  if (areConfigured && (await readStoredSecrets(dataDir))) return undefined
  const stored = await storeSecretsOnce(dataDir, secrets)
  requireMatchingSecrets(
    { ...stored, ...configuredSecrets },
    fingerprintsOf(secrets),
    otherSecretsIn(secretsFile(dataDir)),
  )
  return undefined
}

function otherSecretsIn(path: string): string {
  return `${path} contains other secrets: move it away or use a new DATA_DIR.`
}

/**
 * In the format of systemd's EnvironmentFile and Docker's --env-file. An existing file is never
 * replaced: it may be the only copy of the secrets of another database.
 */
async function writeVariables(dataDir: string, secrets: Secrets): Promise<string> {
  const path = join(dataDir, 'secrets.env')
  const lines = Object.entries(secretVariables).map(
    ([key, variable]) => `${variable}=${secrets[key as keyof Secrets]}\n`,
  )
  await mkdir(dataDir, { recursive: true })
  try {
    await writeFile(path, lines.join(''), { flag: 'wx', mode: 0o600, flush: true })
  } catch (error) {
    if ((error as { code?: string }).code !== 'EEXIST') throw error
    const found = parseVariables(await readFile(path, 'utf8'))
    requireMatchingSecrets(found, fingerprintsOf(secrets), otherSecretsIn(path))
  }
  return path
}

function parseVariables(text: string): Partial<Secrets> {
  const values = new Map(text.split('\n').map((line) => [line.split('=', 1)[0], line.replace(/^[^=]*=/, '')]))
  return Object.fromEntries(
    Object.entries(secretVariables).flatMap(([key, variable]) =>
      values.has(variable) ? [[key, values.get(variable)]] : [],
    ),
  )
}
