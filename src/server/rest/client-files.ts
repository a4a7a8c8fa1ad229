import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { extname, join } from 'node:path'
import { hasTag, tagOf } from '../lib/entity-tag.ts'

const types: Record<string, string> = { '.tgz': 'application/gzip', '.whl': 'application/zip' }

/**
 * The built client packages, in memory. They need no key: anyone who can reach the service can
 * install them.
 */
export function createClientFiles(folder: string) {
  const files = new Map<string, { content: Uint8Array<ArrayBuffer>; tag: string }>()
  for (const name of existsSync(folder) ? readdirSync(folder) : []) {
    const content = new Uint8Array(readFileSync(join(folder, name)))
    files.set(name, { content, tag: tagOf(content) })
  }

  /** Caches revalidate a file by its tag each time, because its name does not change with its content. */
  return function respondWithClient(name: string, request: Request): Response | undefined {
    const file = files.get(name)
    if (!file) return undefined
    const headers = { etag: file.tag, 'cache-control': 'public, no-cache' }
    if (hasTag(request, file.tag)) return new Response(null, { status: 304, headers })
    return new Response(file.content, {
      headers: {
        ...headers,
        'content-type': types[extname(name)] ?? 'application/octet-stream',
        'content-length': String(file.content.length),
      },
    })
  }
}
