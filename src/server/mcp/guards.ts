import { parseJsonText } from '../../contract/json-text.ts'
import { limits } from '../../contract/limits.ts'
import type { KeyOwner } from './backend.ts'
import { errorCodes, jsonRpcError } from './json-rpc.ts'

export type Identified = { apiKey: string; owner: KeyOwner }

/** A browser on another site must not use a visitor's network position; programs send no Origin. */
export function refuseForeignOrigin(request: Request, origins: string[]): Response | undefined {
  const origin = request.headers.get('origin')
  if (origin === null || origins.includes(origin)) return undefined
  return jsonRpcError(403, errorCodes.refused, 'Requests from this origin are not allowed.')
}

export async function identify(
  request: Request,
  findKeyOwner: (apiKey: string) => Promise<KeyOwner | undefined>,
): Promise<Identified | Response> {
  const bearer = /^Bearer +(\S+)$/i.exec(request.headers.get('authorization') ?? '')?.[1]
  const header = request.headers.get('x-api-key')?.trim() || undefined
  if (bearer !== undefined && header !== undefined && bearer !== header) {
    return jsonRpcError(
      400,
      errorCodes.refused,
      'X-Api-Key and Authorization hold different keys. Send one of the two.',
    )
  }
  const apiKey = header ?? bearer
  const challenge = { 'www-authenticate': 'Bearer realm="handrail"' }
  if (apiKey === undefined) {
    const message =
      'Send your API key as the header X-Api-Key or Authorization: Bearer. Keys are made in the dashboard, under Settings.'
    return jsonRpcError(401, errorCodes.refused, message, { headers: challenge })
  }
  try {
    const owner = await findKeyOwner(apiKey)
    if (owner) return { apiKey, owner }
  } catch {
    const message = 'The backend cannot be asked right now. Try again in a moment.'
    return jsonRpcError(503, errorCodes.refused, message, { headers: { 'retry-after': '2' } })
  }
  return jsonRpcError(401, errorCodes.refused, 'This API key is not known, was revoked or has expired.', {
    headers: challenge,
  })
}

/** The body as the REST door would read it: bounded, and refused where a human would not see what was sent. */
export async function readBody(request: Request): Promise<{ body: unknown } | Response> {
  const tooLarge = () =>
    jsonRpcError(413, errorCodes.refused, `A body takes at most ${limits.bodyBytes} bytes.`)
  if (Number(request.headers.get('content-length') ?? 0) > limits.bodyBytes) return tooLarge()
  const bytes = await request.arrayBuffer()
  if (bytes.byteLength > limits.bodyBytes) return tooLarge()
  let text: string
  try {
    text = new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    return jsonRpcError(400, errorCodes.parse, 'Parse error: the body is not valid UTF-8.')
  }
  const result = parseJsonText(text, { maxDepth: limits.bodyDepth })
  if ('value' in result) return { body: result.value }
  const first = result.violations[0]!
  return jsonRpcError(400, errorCodes.parse, `Parse error: ${first.path} ${first.message}`, {
    data: { errors: result.violations },
  })
}
