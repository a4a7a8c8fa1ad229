import { hasTag, tagOf } from '../lib/entity-tag.ts'
import { chooseEncoding, type Encoded, type Encoding, encode } from './content-encoding.ts'

/**
 * A document that does not change while the process runs. It is built and hashed at the first
 * request, and compressed once per encoding.
 */
export function createFixedDocument(contentType: string, build: () => string) {
  let built: { body: Uint8Array; tag: string } | undefined
  const encoded = new Map<Encoding, Promise<Encoded>>()

  return async function respond(request: Request): Promise<Response> {
    if (!built) {
      const text = build()
      built = { body: Buffer.from(text), tag: tagOf(text) }
    }
    const { body, tag } = built
    const headers = { etag: tag, vary: 'accept-encoding', 'cache-control': 'no-cache' }
    if (hasTag(request, tag)) return new Response(null, { status: 304, headers })
    const encoding = chooseEncoding(request.headers.get('accept-encoding') ?? '')
    const content = encoding ? await compress(encoding, body) : { body }
    return new Response(Buffer.from(content.body), {
      headers: {
        ...headers,
        'content-type': contentType,
        ...(encoding && { 'content-encoding': encoding }),
      },
    })
  }

  function compress(encoding: Encoding, body: Uint8Array): Promise<Encoded> {
    const result = encoded.get(encoding) ?? encode(encoding, body)
    encoded.set(encoding, result)
    return result
  }
}
