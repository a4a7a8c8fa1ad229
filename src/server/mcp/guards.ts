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
  if (apiKey === undefined) {
    return unauthenticated(
      'Send your API key as the header X-Api-Key or Authorization: Bearer. Keys are made in the dashboard, under Settings.',
    )
  }
  const owner = await findKeyOwner(apiKey)
  return owner ? { apiKey, owner } : unauthenticated('This API key is not known, was revoked or has expired.')
}

function unauthenticated(message: string): Response {
  const headers = { 'www-authenticate': 'Bearer realm="handrail"' }
  return jsonRpcError(401, errorCodes.refused, message, { headers })
}
