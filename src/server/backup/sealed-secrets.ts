import { randomBytes, scrypt } from 'node:crypto'
import { promisify } from 'node:util'
import type { Secrets } from '../config.ts'
import { open, seal } from '../lib/sealed-text.ts'
import { BackupError } from '../storage/backup/backup-error.ts'
import type { Header } from '../storage/backup/parts.ts'

type SealedSecrets = NonNullable<Header['secrets']>

const context = 'handrail:backup:secrets'
// Half a second and 128 MB per guess, because a stolen file can be attacked offline.
const cost = { N: 2 ** 17, r: 8, p: 1, maxmem: 256 * 1024 * 1024 }

export async function sealSecrets(secrets: Secrets, passphrase: string): Promise<SealedSecrets> {
  const salt = randomBytes(16).toString('base64')
  return { salt, sealed: seal(JSON.stringify(secrets), await deriveKey(passphrase, salt), context) }
}

export async function openSecrets({ salt, sealed }: SealedSecrets, passphrase: string): Promise<Secrets> {
  const key = await deriveKey(passphrase, salt)
  try {
    return JSON.parse(open(sealed, key, context)) as Secrets
  } catch {
    // Encryption with authentication cannot tell the two apart.
    throw new BackupError('The passphrase is wrong, or the file is damaged. Nothing was restored.')
  }
}

async function deriveKey(passphrase: string, salt: string): Promise<string> {
  const derive = promisify<string, string, number, typeof cost, Buffer>(scrypt)
  return (await derive(passphrase.normalize('NFC'), salt, 32, cost)).toString('base64')
}
