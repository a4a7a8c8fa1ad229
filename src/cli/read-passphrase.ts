import { createInterface } from 'node:readline'
import { Writable } from 'node:stream'
import type { SecretConfig } from '../server/config.ts'
import { UsageError } from './arguments.ts'

const minLength = 12 // the same as for BACKUP_PASSPHRASE in environment-variables.ts

/**
 * Reads the passphrase from BACKUP_PASSPHRASE, a hidden prompt, or the first line of standard
 * input. It is not an argument, because every user of the machine can read the arguments of a
 * process. `twice`: on a terminal, the prompt is repeated.
 */
export async function readPassphrase(
  { backupPassphrase }: SecretConfig,
  { twice = false } = {},
): Promise<string> {
  if (backupPassphrase !== undefined) return backupPassphrase
  const passphrase = await promptHidden('Passphrase: ')
  if (passphrase.length < minLength)
    throw new UsageError(`The passphrase must be at least ${minLength} characters.`)
  if (twice && process.stdin.isTTY && (await promptHidden('Repeat the passphrase: ')) !== passphrase)
    throw new UsageError('The passphrases do not match.')
  return passphrase
}

async function promptHidden(question: string): Promise<string> {
  if (process.stdin.isTTY) process.stderr.write(question)
  const silent = new Writable({ write: (_chunk, _encoding, done) => done() })
  const lines = createInterface({ input: process.stdin, output: silent, terminal: process.stdin.isTTY })
  try {
    return await new Promise<string>((resolve, reject) => {
      lines.once('line', resolve)
      lines.once('close', () => reject(new UsageError('No passphrase was entered.')))
    })
  } finally {
    lines.close()
    if (process.stdin.isTTY) process.stderr.write('\n')
  }
}
