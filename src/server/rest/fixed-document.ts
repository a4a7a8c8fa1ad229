import { createHash } from 'node:crypto'
import { chooseEncoding, type Encoded, encode } from './content-encoding.ts'

/** A document that is the same for everybody as long as the process runs: built, hashed and compressed once, when first asked for. */
export function createFixedDocument(contentType: string, build: () => string) {
  let built: { body: Uint8Array; tag: string } | undefined
  const encoded = new Map<string, Promise<Encoded>>()

  return async function respond(request: Request): Promise<Response> {
    built ??= withTag(build())
    const { body, tag } = built
    const headers = { etag: tag, vary: 'accept-encoding', 'cache-control': 'no-cache' }
    const known = request.headers.get('if-none-match')
    if (known?.split(',').some((one) => one.trim().replace(/^W\//, '') === tag))
      return new Response(null, { status: 304, headers })
    const encoding = chooseEncoding(request.headers.get('accept-encoding') ?? '')
    const answer = encoding ? await compressed(encoding, body) : { body }
    return new Response(Buffer.from(answer.body), {
      headers: {
        ...headers,
        'content-type': contentType,
        ...(encoding && { 'content-encoding': encoding }),
      },
    })
  }

  function compressed(encoding: 'br' | 'gzip', body: Uint8Array): Promise<Encoded> {
    const known = encoded.get(encoding) ?? encode(encoding, body)
    encoded.set(encoding, known)
    return known
  }
}

function withTag(text: string): { body: Uint8Array; tag: string } {
  const tag = createHash('sha256').update(text).digest('base64url').slice(0, 22)
  return { body: Buffer.from(text), tag: `"${tag}"` }
}
