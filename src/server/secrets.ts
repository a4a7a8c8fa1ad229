import { createHash, randomBytes } from 'node:crypto'
import { link, mkdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { z } from 'zod'
import { ConfigError, type Secrets, secretVariables } from './config.ts'
import type { Logger } from './lib/logger.ts'
import { signHead } from './lib/signed-head.ts'
import { StartError } from './lib/start-error.ts'
import { signOldHeads } from './storage/audit/audit-chain.ts'
import type { Database } from './storage/engine/database.ts'
import { storeFactOnce } from './storage/engine/service-facts.ts'

const Stored = z.object({
  apiKeyPepper: z.string(),
  encryptionKey: z.string(),
  authSecret: z.string(),
  internalToken: z.string(),
})

/** Given ones count; the rest is generated once into DATA_DIR, readable by the service's user alone. */
export async function loadSecrets(dataDir: string, given: Partial<Secrets>): Promise<Secrets> {
  if (Stored.safeParse(given).success) return given as Secrets
  const kept = await keepSecrets(dataDir, {
    apiKeyPepper: randomText(),
    encryptionKey: randomText(),
    authSecret: randomText(),
    internalToken: randomText(),
  })
  return { ...kept, ...given }
}

/** Stores these if none are there, and gives back the ones that count: the first. */
export async function keepSecrets(dataDir: string, fresh: Secrets): Promise<Secrets> {
  const path = secretsFile(dataDir)
  await mkdir(dataDir, { recursive: true, mode: 0o755 })
  // Written aside and linked into place: it is there whole or not at all, and of two processes at once one wins.
  const draft = `${path}.${process.pid}`
  try {
    await writeFile(draft, `${JSON.stringify(fresh, null, 2)}\n`, { mode: 0o600, flush: true })
    await link(draft, path)
  } catch (error) {
    const { code, message } = error as { code?: string; message: string }
    if (code !== 'EEXIST') throw new StartError(`The secrets cannot be kept in ${dataDir}: ${message}`)
  } finally {
    await rm(draft, { force: true })
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
  const stored = Stored.safeParse(JSON.parse(text))
  if (stored.success) return stored.data
  throw new ConfigError([`${path} does not hold the four secrets. Restore it from a backup.`])
}

function randomText(): string {
  return randomBytes(32).toString('base64url')
}

/** Tells one secret from another and nothing else, so it may be shown. By the variable of the secret. */
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

/** A node with another secret than the rest would refuse their keys and break their cookies: it must not start. */
export async function checkFingerprints(database: Database, secrets: Secrets): Promise<void> {
  const mistakes: string[] = []
  for (const [variable, fingerprint] of Object.entries(fingerprintsOf(secrets))) {
    const kept = await storeFactOnce(database, `fingerprint:${variable}`, fingerprint)
    if (kept !== fingerprint) mistakes.push(`${variable} is not the one this database was set up with.`)
  }
  if (mistakes.length > 0) throw new ConfigError(mistakes)
}

/**
 * Chains from before heads were signed: the first start signs what it finds. From then on only signed heads count, so the log
 * says what was taken on trust; somebody who makes the database look old again would show here.
 */
export async function adoptAuditHeads(
  database: Database,
  { encryptionKey }: Secrets,
  log: Logger,
): Promise<void> {
  const heads = await signOldHeads(database, (head) => signHead(head, encryptionKey))
  for (const head of heads) log.warn(head, 'head of an audit chain from before signatures, signed as it is')
}
