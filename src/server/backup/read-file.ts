import { createReadStream } from 'node:fs'
import { createGunzip } from 'node:zlib'
import { z } from 'zod'
import { BackupError, DamagedBackup } from '../storage/backup/backup-error.ts'
import { backupFormat, Header, NamedPart, type Part } from '../storage/backup/parts.ts'

export const largestPiece = 1024 * 1024 // bytes
const Data = z.strictObject({ data: z.int().min(1).max(largestPiece) })
const longestLine = 1024 * 1024 // bytes; the header's grows with the number of columns, some 10,000 today

export type BackupFile = { header: Header; parts: AsyncIterable<Part>; close(): Promise<void> }

/** The header, and the parts after it as they are asked for. */
export async function openFile(path: string): Promise<BackupFile> {
  const file = createReadStream(path)
  const gunzip = createGunzip({ chunkSize: 256 * 1024 })
  file.on('error', (error) => gunzip.destroy(error))
  const bytes = createByteReader(file.pipe(gunzip))
  const close = async () => {
    gunzip.destroy()
    file.destroy()
  }
  try {
    return { header: readHeader(path, await bytes.line()), parts: readParts(bytes), close }
  } catch (error) {
    await close()
    throw unreadable(path, error)
  }
}

async function* readParts(bytes: ByteReader): AsyncGenerator<Part> {
  try {
    for (let line = await bytes.line(); line !== undefined; line = await bytes.line()) {
      const size = Data.safeParse(readLine(line)).data?.data
      if (size === undefined) yield readNamedPart(line)
      else yield { rows: await bytes.take(size) }
    }
  } catch (error) {
    throw explained(error)
  }
}

function readHeader(path: string, line: string | undefined): Header {
  const found = readLine(line ?? '') as { handrailBackup?: unknown } | undefined
  if (Number(found?.handrailBackup) > backupFormat)
    throw new BackupError(
      `${path} was written by a newer Handrail. Restore it with that release or a later one.`,
    )
  const header = Header.safeParse(found)
  if (!header.success) throw notABackup(path)
  return header.data
}

function readNamedPart(line: string): Part {
  const part = NamedPart.safeParse(readLine(line))
  if (!part.success) throw new DamagedBackup('a line in it cannot be read')
  return part.data
}

function readLine(line: string): unknown {
  try {
    return JSON.parse(line)
  } catch {
    return undefined
  }
}

function notABackup(path: string): BackupError {
  return new BackupError(`${path} is no backup of Handrail, or its beginning is damaged.`)
}

function unreadable(path: string, error: unknown): unknown {
  const { code = '', syscall } = error as NodeJS.ErrnoException
  if (syscall !== undefined) return new BackupError(`${path} cannot be read (${code}).`)
  return code.startsWith('Z_') || error instanceof DamagedBackup ? notABackup(path) : error
}

function explained(error: unknown): unknown {
  const { code = '' } = error as { code?: string }
  if (code === 'Z_BUF_ERROR') return new DamagedBackup('it is cut off')
  return code.startsWith('Z_') ? new DamagedBackup('its compressed bytes do not agree') : error
}

type ByteReader = ReturnType<typeof createByteReader>

/** Lines and counted bytes out of a stream, which is read no further than that. */
function createByteReader(stream: AsyncIterable<Buffer>) {
  const chunks = stream[Symbol.asyncIterator]()
  let kept: Buffer = Buffer.alloc(0)

  async function more(): Promise<boolean> {
    const { value, done } = await chunks.next()
    if (done) return false
    kept = kept.length === 0 ? value : Buffer.concat([kept, value])
    return true
  }

  function cut(length: number): Buffer {
    const bytes = kept.subarray(0, length)
    kept = kept.subarray(length)
    return bytes
  }

  return {
    /** Without its end; undefined at the end of the stream. */
    async line(): Promise<string | undefined> {
      let end = kept.indexOf('\n')
      while (end === -1) {
        if (kept.length > longestLine) throw new DamagedBackup('a line in it has no end')
        if (!(await more())) {
          if (kept.length > 0) throw new DamagedBackup('it is cut off')
          return undefined
        }
        end = kept.indexOf('\n')
      }
      return cut(end + 1).toString('utf8', 0, end)
    },
    async take(length: number): Promise<Buffer> {
      while (kept.length < length) if (!(await more())) throw new DamagedBackup('it is cut off')
      return cut(length)
    },
  }
}
