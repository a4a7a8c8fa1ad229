import type { z } from 'zod'
import { bodyLimits, parseJsonTextInChunks } from '../../contract/json-text.ts'
import { limits } from '../../contract/limits.ts'
import type { Violation } from '../../contract/violation.ts'
import { zodViolations } from '../../contract/zod-violations.ts'
import { invalidRequest, payloadTooLarge } from '../domain/problems.ts'
import { nextTurn } from '../lib/event-loop.ts'
import { decodeUtf8, readBytes } from '../lib/read-bytes.ts'

/** Reads a JSON body. Its text is checked before it is parsed. undefined if the body is empty. */
export async function readBody(request: Request): Promise<unknown> {
  const text = await readText(request)
  if (text === '') return undefined
  const type = request.headers.get('content-type')?.split(';')[0]?.trim().toLowerCase()
  if (type !== undefined && type !== 'application/json' && !type.endsWith('+json')) {
    throw invalidRequest([
      { path: '', message: 'The body must be JSON, with the header content-type: application/json.' },
    ])
  }
  const result = await parseJsonTextInChunks(text, bodyLimits, nextTurn)
  if ('violations' in result) throw invalidRequest(result.violations)
  return result.value
}

async function readText(request: Request): Promise<string> {
  const bytes = await readBytes(request, limits.bodyBytes)
  if (!bytes) throw payloadTooLarge(`The body must be at most ${limits.bodyBytes} bytes.`)
  const text = decodeUtf8(bytes)
  if (text === undefined) throw invalidRequest([{ path: '', message: 'The body is not valid UTF-8.' }])
  return text
}

/** A repeated parameter becomes a list. */
export function readQuery({ searchParams }: URL): Record<string, string | string[]> {
  return Object.fromEntries(
    [...valuesByName(searchParams)].map(([name, values]) => [
      name,
      values.length === 1 ? values[0]! : values,
    ]),
  )
}

/** Reads all parameters in one pass: `getAll` searches the whole list, and a sender can name thousands. */
export function valuesByName(parameters: URLSearchParams): Map<string, string[]> {
  const byName = new Map<string, string[]>()
  for (const [name, value] of parameters) {
    const values = byName.get(name)
    if (values) values.push(value)
    else byName.set(name, [value])
  }
  return byName
}

/** Parses one part of a request. Without a schema the part is ignored. */
export function parsePart<T>(
  schema: z.ZodType<T> | undefined,
  value: unknown,
  violations: Violation[],
  options: { isQuery?: boolean } = {},
): T {
  if (!schema) return undefined as T
  const result = schema.safeParse(value)
  if (result.success) return result.data
  violations.push(...zodViolations(result.error, schema, value, options))
  return undefined as T
}

/** PostgreSQL cannot store NUL, which a path or query can contain in percent-encoding. */
export function refuseNul(values: Record<string, string | string[]>, violations: Violation[]): void {
  for (const [path, value] of Object.entries(values)) {
    if ([value].flat().some((text) => text.includes('\0')))
      violations.push({ path, message: 'Must not contain NUL characters.' })
  }
}

/** Copies the header Idempotency-Key into the body. If both have a key, the keys must be equal. */
export function withIdempotencyKey<Body extends { idempotencyKey?: string | undefined }>(
  body: Body,
  headers: Headers,
): Body {
  const header = headers.get('idempotency-key')
  if (header === null || header === '') return body
  if (header.length > limits.idempotencyKey || !/^[\x20-\x7e]+$/.test(header)) {
    throw invalidRequest([
      {
        path: 'Idempotency-Key',
        message: `Must be printable ASCII, at most ${limits.idempotencyKey} characters.`,
      },
    ])
  }
  if (body.idempotencyKey !== undefined && body.idempotencyKey !== header) {
    throw invalidRequest([
      { path: 'idempotencyKey', message: 'Differs from the header Idempotency-Key. Send only one of them.' },
    ])
  }
  return { ...body, idempotencyKey: header }
}
