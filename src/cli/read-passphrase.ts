import { createInterface } from 'node:readline'
import { Writable } from 'node:stream'
import type { SecretConfig } from '../server/config.ts'
import { UsageError } from './arguments.ts'

const shortest = 12 // as BACKUP_PASSPHRASE

/** From BACKUP_PASSPHRASE, else from the keyboard unseen, else the first line of standard input. Never from the arguments, which everyone on the machine can read. */
export async function readPassphrase(
  { backupPassphrase }: SecretConfig,
  { twice = false } = {},
): Promise<string> {
  if (backupPassphrase !== undefined) return backupPassphrase
  const passphrase = await ask('Passphrase: ')
  if (passphrase.length < shortest)
    throw new UsageError(`The passphrase must have ${shortest} characters at least.`)
  if (twice && process.stdin.isTTY && (await ask('The same again: ')) !== passphrase)
    throw new UsageError('These were two different passphrases.')
  return passphrase
}

async function ask(question: string): Promise<string> {
  if (process.stdin.isTTY) process.stderr.write(question)
  const silent = new Writable({ write: (_chunk, _encoding, done) => done() })
  const lines = createInterface({ input: process.stdin, output: silent, terminal: process.stdin.isTTY })
  try {
    return await new Promise<string>((resolve, reject) => {
      lines.once('line', resolve)
      lines.once('close', () => reject(new UsageError('No passphrase was given.')))
    })
  } finally {
    lines.close()
    if (process.stdin.isTTY) process.stderr.write('\n')
  }
}
