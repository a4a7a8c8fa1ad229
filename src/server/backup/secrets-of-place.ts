import { mkdir, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { type Secrets, secretVariables } from '../config.ts'
import { fingerprintsOf, keepSecrets, readStoredSecrets, secretsFile } from '../secrets.ts'
import { BackupError } from '../storage/backup/backup-error.ts'
import type { DatabaseTarget } from './database-target.ts'

/** Those a service at this place would start with: given ones count, the rest is in the data folder of a private one. */
export async function secretsOf(
  { dataDir, url }: DatabaseTarget,
  given: Partial<Secrets>,
): Promise<Partial<Secrets>> {
  return { ...(url === undefined && (await readStoredSecrets(dataDir))), ...given }
}

/** All four, and the ones the data was written with; or which one is not, and what to do. */
export function requireFitting(
  secrets: Partial<Secrets>,
  expected: Record<string, string>,
  whatToDo: string,
): Secrets {
  const found = fingerprintsOf(secrets)
  const variables = Object.values(secretVariables)
  const missing = variables.filter((variable) => found[variable] === undefined)
  const others = variables.filter(
    (variable) => found[variable] !== undefined && found[variable] !== expected[variable],
  )
  if (missing.length + others.length === 0) return secrets as Secrets
  const sentences = [
    ...(missing.length > 0 ? [`Missing: ${missing.join(', ')}.`] : []),
    ...(others.length > 0 ? [`Not as when this data was written: ${others.join(', ')}.`] : []),
  ]
  throw new BackupError(`${sentences.join(' ')} ${whatToDo} Nothing was changed.`)
}

/** So that the next start at this place finds them. Gives back the file an operator must take them from, if any. */
export async function leaveSecrets(
  { dataDir, url }: DatabaseTarget,
  secrets: Secrets,
  given: Partial<Secrets>,
): Promise<string | undefined> {
  const areGiven = Object.keys(secretVariables).every((key) => key in given)
  if (url !== undefined) return areGiven ? undefined : await writeVariables(dataDir, secrets)
  if (areGiven && (await readStoredSecrets(dataDir))) return undefined
  const kept = await keepSecrets(dataDir, secrets)
  requireFitting(
    { ...kept, ...given },
    fingerprintsOf(secrets),
    `${secretsFile(dataDir)} holds others. Move it away or use a new DATA_DIR.`,
  )
  return undefined
}

/** In the form of systemd's EnvironmentFile and Docker's --env-file. */
async function writeVariables(dataDir: string, secrets: Secrets): Promise<string> {
  const path = join(dataDir, 'secrets.env')
  const lines = Object.entries(secretVariables).map(
    ([key, variable]) => `${variable}=${secrets[key as keyof Secrets]}\n`,
  )
  await mkdir(dataDir, { recursive: true })
  await rm(path, { force: true })
  await writeFile(path, lines.join(''), { flag: 'wx', mode: 0o600, flush: true })
  return path
}
