import { createHash, randomBytes } from 'node:crypto'
import { link, mkdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { z } from 'zod'
import { ConfigError, type Secrets, secretVariables } from './config.ts'
import type { Logger } from './lib/logger.ts'
import { parseJson } from './lib/parse-json.ts'
import { signHead } from './lib/signed-head.ts'
import { StartError } from './lib/start-error.ts'
import { signUnsignedHeads } from './storage/audit/audit-chain.ts'
import type { Database } from './storage/engine/database.ts'
import { hasFingerprints, storeFactOnce } from './storage/engine/service-facts.ts'

const StoredSecrets = z.object({
  apiKeyPepper: z.string(),
  encryptionKey: z.string(),
  authSecret: z.string(),
  internalToken: z.string(),
})

/**
 * Configured secrets take precedence. If some are missing, all four are generated once into
 * DATA_DIR, readable only by the service's user. No secrets are generated for a database that was
 * set up before, because it needs the secrets that it was set up with.
 */
export async function loadSecrets(
  database: Database,
  dataDir: string,
  configured: Partial<Secrets>,
): Promise<Secrets> {
  if (StoredSecrets.safeParse(configured).success) return configured as Secrets
  // Checked in this order, because a process that sets up the database stores its secrets before
  // their fingerprints.
  if ((await hasFingerprints(database)) && !(await readStoredSecrets(dataDir))) {
    const missing = Object.entries(secretVariables).flatMap(([key, name]) =>
      key in configured ? [] : [name],
    )
    throw new ConfigError([
      `${secretsFile(dataDir)} is missing. This database needs the secrets it was set up with: ` +
        `restore the file from a backup, or set ${missing.join(', ')}.`,
    ])
  }
  const stored = await storeSecretsOnce(dataDir, {
    apiKeyPepper: generateSecret(),
    encryptionKey: generateSecret(),
    authSecret: generateSecret(),
    internalToken: generateSecret(),
  })
  return { ...stored, ...configured }
}

/** Stores these secrets unless some are stored already. Returns the stored ones. */
export async function storeSecretsOnce(dataDir: string, fresh: Secrets): Promise<Secrets> {
  const path = secretsFile(dataDir)
  await mkdir(dataDir, { recursive: true, mode: 0o755 })
  // Written to a temporary file and linked, so that the file is never incomplete and one of two
  // concurrent processes wins.
  const temporaryFile = `${path}.${process.pid}`
  try {
    await writeFile(temporaryFile, `${JSON.stringify(fresh, null, 2)}\n`, { mode: 0o600, flush: true })
    await link(temporaryFile, path)
  } catch (error) {
    const { code, message } = error as { code?: string; message: string }
    if (code !== 'EEXIST') throw new StartError(`The secrets cannot be stored in ${dataDir}: ${message}`)
  } finally {
    await rm(temporaryFile, { force: true })
  }
  return (await readStoredSecrets(dataDir))!
}

export function secretsFile(dataDir: string): string {
  return join(dataDir, 'secrets.json')
}

export async function readStoredSecrets(dataDir: string): Promise<Secrets | undefined> {
  const path = secretsFile(dataDir)
  const text = await readFile(path, 'utf8').catch((error: { code?: string }) => {
    if (error.code === 'ENOENT') return undefined
    throw error
  })
  if (text === undefined) return undefined
  // A truncated file is not valid JSON.
  const stored = StoredSecrets.safeParse(parseJson(text))
  if (stored.success) return stored.data
  throw new ConfigError([`${path} does not contain the four secrets. Restore it from a backup.`])
}

function generateSecret(): string {
  return randomBytes(32).toString('base64url')
}

/** Fingerprints by variable name. They identify secrets without revealing them, so they may be shown. */
export function fingerprintsOf(secrets: Partial<Secrets>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(secretVariables).flatMap(([key, variable]) => {
      const secret = secrets[key as keyof Secrets]
      if (secret === undefined) return []
      const text = `handrail:fingerprint:${variable}:${secret}`
      return [[variable, createHash('sha256').update(text).digest('hex').slice(0, 16)]]
    }),
  )
}

/**
 * A node with different secrets would reject the keys and cookies of the other nodes, so it must
 * not start.
 */
export async function checkFingerprints(database: Database, secrets: Secrets): Promise<void> {
  const mistakes: string[] = []
  for (const [variable, fingerprint] of Object.entries(fingerprintsOf(secrets))) {
    const stored = await storeFactOnce(database, `fingerprint:${variable}`, fingerprint)
    if (stored !== fingerprint)
      mistakes.push(
        `${variable} differs from the one this database was set up with. Set it to that one, or restore secrets.json from a backup.`,
      )
  }
  if (mistakes.length > 0) throw new ConfigError(mistakes)
}

/**
 * Signs the heads of audit chains that were written before signatures existed, and logs each one.
 * A row in service_facts ensures that this happens once per database; afterwards only signed heads
 * are valid. If the line is logged again later, someone has deleted that row, so that the service
 * signs a head that it did not write.
 */
export async function signUnsignedAuditHeads(
  database: Database,
  { encryptionKey }: Secrets,
  log: Logger,
): Promise<void> {
  const heads = await signUnsignedHeads(database, (head) => signHead(head, encryptionKey))
  for (const head of heads) log.warn(head, 'signed an audit chain head that had no signature')
}
