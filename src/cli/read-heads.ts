import { createReadStream } from 'node:fs'
import { readFile, stat } from 'node:fs/promises'
import { createInterface } from 'node:readline'
import { z } from 'zod'
import { WorkspaceId } from '../contract/ids.ts'
import { parseJson } from '../server/lib/parse-json.ts'
import { UsageError } from './arguments.ts'

// For pretty-printed JSON, which is parsed as a whole. Logs of any size are read line by line.
const maxJsonBytes = 10 * 1024 * 1024

const Head = z.object({
  workspaceId: WorkspaceId.optional(),
  seq: z.int().min(1),
  digest: z.string().regex(/^[0-9a-f]{64}$/),
  signature: z.string().optional(),
})
export type HeadInFile = z.infer<typeof Head>

/**
 * Reads heads of audit chains from a file: log lines of the service, also with a prefix of journald
 * or Docker; the output of `audit verify --json` or `GET /audit/verify`; entries of an audit
 * export.
 */
export async function readHeads(file: string): Promise<HeadInFile[]> {
  const heads = await findHeadsIn(file).catch(({ code, message }: NodeJS.ErrnoException) => {
    throw new UsageError(
      code === 'EISDIR' ? `${file} is a folder. Choose a file.` : `Cannot read ${file}: ${message}`,
    )
  })
  if (heads.length === 0) throw new UsageError(`${file} contains no head of an audit chain.`)
  return heads
}

async function findHeadsIn(file: string): Promise<HeadInFile[]> {
  const { size } = await stat(file)
  const heads: HeadInFile[] = []
  for await (const line of createInterface({ input: createReadStream(file) }))
    if (line.includes('"digest"')) heads.push(...findHeads(parseJson(line.slice(line.indexOf('{')))))
  if (heads.length > 0 || size > maxJsonBytes) return heads
  return findHeads(parseJson(await readFile(file, 'utf8')))
}

function findHeads(value: unknown): HeadInFile[] {
  const head = Head.safeParse(value)
  if (head.success) return [head.data]
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(findHeads) : []
}
