import { createReadStream } from 'node:fs'
import { readFile, stat } from 'node:fs/promises'
import { createInterface } from 'node:readline'
import { z } from 'zod'
import { WorkspaceId } from '../contract/ids.ts'
import { UsageError } from './arguments.ts'

// An export of a day's heads that a tool has spread over several lines; logs are read line by line, whatever their size.
const mostBytesAtOnce = 10 * 1024 * 1024

const Head = z.object({
  workspaceId: WorkspaceId.optional(),
  seq: z.int().min(1),
  digest: z.string().regex(/^[0-9a-f]{64}$/),
  signature: z.string().optional(),
})
export type HeadInFile = z.infer<typeof Head>

/**
 * Heads of audit chains in a file: lines of the service's log, also behind a prefix of journald or Docker; what
 * `audit verify --json` and `GET /audit/verify` print; entries of an export, which name no workspace.
 */
export async function readHeads(file: string): Promise<HeadInFile[]> {
  const { size } = await stat(file).catch((error: Error) => {
    throw new UsageError(`${file} cannot be read: ${error.message}`)
  })
  const heads: HeadInFile[] = []
  for await (const line of createInterface({ input: createReadStream(file) }))
    if (line.includes('"digest"')) heads.push(...headsIn(parse(line.slice(line.indexOf('{')))))
  if (heads.length === 0 && size <= mostBytesAtOnce)
    heads.push(...headsIn(parse(await readFile(file, 'utf8'))))
  if (heads.length === 0) throw new UsageError(`${file} contains no head of an audit chain.`)
  return heads
}

function headsIn(value: unknown): HeadInFile[] {
  const head = Head.safeParse(value)
  if (head.success) return [head.data]
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(headsIn) : []
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
