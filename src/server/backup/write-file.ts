import { randomBytes } from 'node:crypto'
import { open, rename, rm, stat } from 'node:fs/promises'
import { dirname } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { createGzip } from 'node:zlib'
import { BackupError } from '../storage/backup/backup-error.ts'
import type { Header, Part } from '../storage/backup/parts.ts'
import { largestPiece } from './read-file.ts'

/**
 * One gzip stream: a line of JSON for the header and for every part, and after `{"data":n}` n bytes of rows. Under its name there is a whole
 * backup or the one before; what is half written has another, its own: of two backups that run at once neither must put the
 * other's half under the name. Gives back its size.
 */
export async function writeFile(path: string, header: Header, parts: AsyncIterable<Part>): Promise<number> {
  const there = await stat(path).catch(() => undefined)
  // A new name would take the place of a device, as root even of /dev/null.
  if (there && !there.isFile())
    throw new BackupError(`${path} is no file. Name one, such as handrail.backup.`)
  const half = `${path}.${randomBytes(4).toString('hex')}.part`
  try {
    // Opened before the first row is asked for: where that fails at once, a file still to be made would outlive its removal.
    const file = await open(half, 'wx', 0o600)
    await pipeline(lines(header, parts), createGzip(), file.createWriteStream({ flush: true }))
    await rename(half, path)
    await syncFolder(dirname(path))
    return (await stat(path)).size
  } catch (error) {
    await rm(half, { force: true })
    const { code, syscall, message } = error as NodeJS.ErrnoException
    if (syscall === undefined) throw error
    throw new BackupError(
      code === 'ENOENT'
        ? `There is no folder ${dirname(path)}. Make it, or name another file.`
        : `${path} cannot be written: ${message}.`,
    )
  }
}

async function* lines(header: Header, parts: AsyncIterable<Part>): AsyncGenerator<Buffer> {
  yield Buffer.from(`${JSON.stringify(header)}\n`)
  for await (const part of parts) {
    if (!('rows' in part)) {
      yield Buffer.from(`${JSON.stringify(part)}\n`)
      continue
    }
    for (let at = 0; at < part.rows.length; at += largestPiece) {
      const piece = part.rows.subarray(at, at + largestPiece)
      yield Buffer.from(`{"data":${piece.length}}\n`)
      yield piece
    }
  }
}

/** A new name is safe on disk once its folder is. */
async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder, 'r')
  try {
    await handle.sync()
  } finally {
    await handle.close()
  }
}
