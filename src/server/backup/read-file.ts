import { createReadStream } from 'node:fs'
import { createGunzip } from 'node:zlib'
import { z } from 'zod'
import { parseJson } from '../lib/parse-json.ts'
import { BackupError, DamagedBackup } from '../storage/backup/backup-error.ts'
import { backupFormat, Header, NamedPart, type Part } from '../storage/backup/parts.ts'

export const maxChunkBytes = 1024 * 1024
const DataLine = z.strictObject({ data: z.int().min(1).max(maxChunkBytes) })
const maxLineBytes = 1024 * 1024 // the longest line, the header with all column names, is far shorter

export type BackupFile = { header: Header; parts: AsyncIterable<Part>; close(): Promise<void> }

/**
 * Opens the file and reads its header. The parts after the header are read as they are consumed.
 */
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
    throw describeOpenError(path, error)
  }
}

async function* readParts(bytes: ByteReader): AsyncGenerator<Part> {
  try {
    for (let line = await bytes.line(); line !== undefined; line = await bytes.line()) {
      const size = DataLine.safeParse(parseJson(line)).data?.data
      if (size === undefined) yield readNamedPart(line)
      else yield { data: await bytes.take(size) }
    }
  } catch (error) {
    throw describeReadError(error)
  }
}

function readHeader(path: string, line: string | undefined): Header {
  const found = parseJson(line ?? '') as { handrailBackup?: unknown } | undefined
  if (Number(found?.handrailBackup) > backupFormat)
    throw new BackupError(
      `${path} was written by a newer Handrail release. Restore it with that release or a later one.`,
    )
  const header = Header.safeParse(found)
  if (!header.success) throw notABackup(path)
  return header.data
}

function readNamedPart(line: string): Part {
  const part = NamedPart.safeParse(parseJson(line))
  if (!part.success) throw new DamagedBackup('a line cannot be parsed')
  return part.data
}

function notABackup(path: string): BackupError {
  return new BackupError(`${path} is not a Handrail backup, or its header is damaged. Check the file name.`)
}

function describeOpenError(path: string, error: unknown): unknown {
  const { code = '', syscall } = error as NodeJS.ErrnoException
  if (syscall !== undefined)
    return new BackupError(`${path} cannot be read (${code}). Check its name and permissions.`)
  return code.startsWith('Z_') || error instanceof DamagedBackup ? notABackup(path) : error
}

function describeReadError(error: unknown): unknown {
  const { code = '' } = error as { code?: string }
  if (code === 'Z_BUF_ERROR') return new DamagedBackup('the file is truncated')
  return code.startsWith('Z_') ? new DamagedBackup('the compressed data is corrupt') : error
}

type ByteReader = ReturnType<typeof createByteReader>

/**
 * Reads lines and given numbers of bytes from a stream, and at most one chunk more than was asked
 * for.
 */
function createByteReader(stream: AsyncIterable<Buffer>) {
  const chunks = stream[Symbol.asyncIterator]()
  let buffered: Buffer = Buffer.alloc(0)

  async function readMore(): Promise<boolean> {
    const { value, done } = await chunks.next()
    if (done) return false
    buffered = buffered.length === 0 ? value : Buffer.concat([buffered, value])
    return true
  }

  function consume(length: number): Buffer {
    const bytes = buffered.subarray(0, length)
    buffered = buffered.subarray(length)
    return bytes
  }

  return {
    /** The next line, without its line break. Undefined at the end of the stream. */
    async line(): Promise<string | undefined> {
      let end = buffered.indexOf('\n')
      while (end === -1) {
        if (buffered.length > maxLineBytes) throw new DamagedBackup('a line is too long')
        if (!(await readMore())) {
          if (buffered.length > 0) throw new DamagedBackup('the file is truncated')
          return undefined
        }
        end = buffered.indexOf('\n')
      }
      return consume(end + 1).toString('utf8', 0, end)
    },
    async take(length: number): Promise<Buffer> {
      while (buffered.length < length)
        if (!(await readMore())) throw new DamagedBackup('the file is truncated')
      return consume(length)
    },
  }
}
