import { createHash, randomBytes } from 'node:crypto'
import { link, mkdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { z } from 'zod'
import { ConfigError, type Secrets, secretVariables } from './config.ts'
import { StartError } from './lib/start-error.ts'
import type { Database } from './storage/database.ts'
import { keepFact } from './storage/service-facts.ts'

const Stored = z.object({
  apiKeyPepper: z.string(),
  encryptionKey: z.string(),
  authSecret: z.string(),
  internalToken: z.string(),
})

/** Given ones count; the rest is generated once into DATA_DIR, readable by the service's user alone. */
export async function loadSecrets(dataDir: string, given: Partial<Secrets>): Promise<Secrets> {
  if (Stored.safeParse(given).success) return given as Secrets
  const path = join(dataDir, 'secrets.json')
  await mkdir(dataDir, { recursive: true, mode: 0o755 })
  const fresh: Secrets = {
    apiKeyPepper: randomText(),
    encryptionKey: randomText(),
    authSecret: randomText(),
    internalToken: randomText(),
  }
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
  const stored = Stored.safeParse(JSON.parse(await readFile(path, 'utf8')))
  if (!stored.success)
    throw new ConfigError([`${path} does not hold the four secrets. Restore it from a backup.`])
  return { ...stored.data, ...given }
}

function randomText(): string {
  return randomBytes(32).toString('base64url')
}

/** A node with another secret than the rest would refuse their keys and break their cookies: it must not start. */
export async function checkFingerprints(database: Database, secrets: Secrets): Promise<void> {
  const mistakes: string[] = []
  for (const [key, variable] of Object.entries(secretVariables)) {
    const fingerprint = createHash('sha256')
      .update(`handrail:fingerprint:${variable}:${secrets[key as keyof Secrets]}`)
      .digest('hex')
      .slice(0, 16)
    const kept = await keepFact(database, `fingerprint:${variable}`, fingerprint)
    if (kept !== fingerprint) mistakes.push(`${variable} is not the one this database was set up with.`)
  }
  if (mistakes.length > 0) throw new ConfigError(mistakes)
}
