import { randomBytes } from 'node:crypto'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { extname, join } from 'node:path'
import type { HonoRequest } from 'hono'
import { securityHeaders } from '../lib/security-headers.ts'
import { chooseEncoding, type Encoded, encode } from './content-encoding.ts'

const types: Record<string, string> = {
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.woff2': 'font/woff2',
  '.svg': 'image/svg+xml',
  '.json': 'application/json',
  '.webmanifest': 'application/manifest+json',
  '.png': 'image/png',
}

/** The paths of the inbox and of the start page, which leads to it. */
const inboxPaths = /^\/(w\/[^/]+\/inbox\/?)?$/

/**
 * The built web app, in memory: the page, with a new nonce per response; assets, which never
 * change under their name; and files with fixed names, which may change with an update.
 */
export function createWebFiles(folder: string, basePath: string, sessionCookie: string) {
  const inboxPage = existsSync(join(folder, 'index.html'))
    ? readFileSync(join(folder, 'index.html'), 'utf8')
        .replaceAll('__BASE_PATH__', basePath)
        .replaceAll('"./', `"${basePath}/`)
    : undefined
  // Other pages have no placeholder of the inbox, see index.html.
  const otherPage = inboxPage?.replace(/<!-- inbox:.*<!-- \/inbox -->/s, '')
  /** Manifest, icons and service worker, which have fixed names. */
  const files = new Map<string, Uint8Array>()
  const assets = new Map<string, Uint8Array>()
  const encoded = new Map<string, Promise<Encoded>>()
  if (existsSync(join(folder, 'assets'))) {
    for (const name of readdirSync(join(folder, 'assets')))
      assets.set(name, readFileSync(join(folder, 'assets', name)))
  }

  if (existsSync(folder)) {
    for (const entry of readdirSync(folder, { withFileTypes: true }))
      if (entry.isFile() && entry.name !== 'index.html')
        files.set(entry.name, readFileSync(join(folder, entry.name)))
  }

  function respondWithPage(request: HonoRequest): Response {
    // Only the presence of the cookie is checked: its session may have ended.
    const isSignedIn = request.header('cookie')?.includes(`${sessionCookie}=`)
    const opensInbox = isSignedIn && inboxPaths.test(request.path.slice(basePath.length))
    const page = opensInbox ? inboxPage : otherPage
    if (!page) return new Response('The web app is not built. Run npm start.', { status: 503 })
    const nonce = randomBytes(16).toString('base64')
    return new Response(page.replaceAll('__CSP_NONCE__', nonce), {
      headers: {
        ...securityHeaders(nonce),
        'content-type': 'text/html; charset=utf-8',
        'cache-control': 'no-store',
      },
    })
  }

  async function respondWithAsset(name: string, acceptEncoding: string): Promise<Response | undefined> {
    const file = assets.get(name)
    if (!file) return undefined
    const { body, encoding } = await encodeFile(name, file, acceptEncoding)
    const headers = new Headers({
      'content-type': types[extname(name)] ?? 'application/octet-stream',
      'cache-control': 'public, max-age=31536000, immutable',
      vary: 'accept-encoding',
    })
    if (encoding) headers.set('content-encoding', encoding)
    return new Response(Buffer.from(body), { headers })
  }

  function respondWithFile(name: string): Response | undefined {
    const file = files.get(name)
    if (!file) return undefined
    return new Response(Buffer.from(file), {
      headers: {
        'content-type': types[extname(name)] ?? 'application/octet-stream',
        // Browsers check the service worker for changes; a proxy must not serve them an old one.
        'cache-control': name === 'service-worker.js' ? 'no-cache' : 'public, max-age=3600',
      },
    })
  }

  /** Compresses each file once per encoding and caches it: the set of files is small and fixed. */
  function encodeFile(name: string, file: Uint8Array, acceptEncoding: string): Promise<Encoded> {
    const encoding = extname(name) === '.woff2' ? undefined : chooseEncoding(acceptEncoding)
    if (!encoding) return Promise.resolve({ body: file })
    const key = `${encoding}/${name}`
    const result = encoded.get(key) ?? encode(encoding, file)
    encoded.set(key, result)
    return result
  }

  return { respondWithPage, respondWithAsset, respondWithFile }
}
