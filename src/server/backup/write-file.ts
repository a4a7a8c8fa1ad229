import { randomBytes } from 'node:crypto'
import { open, rename, rm, stat } from 'node:fs/promises'
import { dirname } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { createGzip } from 'node:zlib'
import { BackupError } from '../storage/backup/backup-error.ts'
import type { Header, Part } from '../storage/backup/parts.ts'
import { maxChunkBytes } from './read-file.ts'

/**
 * Writes one gzip stream: a line of JSON for the header and for each part without data, and data in
 * chunks of n bytes, each after the line `{"data":n}`. The file is written under a random temporary
 * name and then renamed, so `path` never has an incomplete backup, even if two backups to it run
 * concurrently. Returns the size of the file in bytes.
 */
export async function writeFile(path: string, header: Header, parts: AsyncIterable<Part>): Promise<number> {
  const existing = await stat(path).catch(() => undefined)
  // The rename would replace a device, and as root even /dev/null.
  if (existing && !existing.isFile())
    throw new BackupError(`${path} is not a regular file. Choose a file name, such as handrail.backup.`)
  const partialPath = `${path}.${randomBytes(4).toString('hex')}.part`
  try {
    // Opened before the first row is read: a stream that opened the file itself could create it
    // after the `rm` below, if reading failed at once.
    const file = await open(partialPath, 'wx', 0o600)
    await pipeline(serialize(header, parts), createGzip(), file.createWriteStream({ flush: true }))
    await rename(partialPath, path)
    await syncFolder(dirname(path))
    return (await stat(path)).size
  } catch (error) {
    await rm(partialPath, { force: true })
    const { code, syscall, message } = error as NodeJS.ErrnoException
    if (syscall === undefined) throw error
    throw new BackupError(
      code === 'ENOENT'
        ? `The folder ${dirname(path)} does not exist. Create it, or choose another file.`
        : `${path} cannot be written: ${message}.`,
    )
  }
}

async function* serialize(header: Header, parts: AsyncIterable<Part>): AsyncGenerator<Buffer> {
  yield Buffer.from(`${JSON.stringify(header)}\n`)
  for await (const part of parts) {
    if (!('data' in part)) {
      yield Buffer.from(`${JSON.stringify(part)}\n`)
      continue
    }
    for (let at = 0; at < part.data.length; at += maxChunkBytes) {
      const chunk = part.data.subarray(at, at + maxChunkBytes)
      yield Buffer.from(`{"data":${chunk.length}}\n`)
      yield chunk
    }
  }
}

/** A rename is durable only after its folder is synced. */
async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder, 'r')
  try {
    await handle.sync()
  } finally {
    await handle.close()
  }
}
