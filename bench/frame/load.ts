import autocannon from 'autocannon'
import type { Context } from './row.ts'
import type { Bounds } from './run-until-conclusive.ts'

export type Load = {
  url: string
  headers: Record<string, string>
  body: string
  seconds: number
  /** Additional headers of each client. */
  clientHeaders?: Record<string, string>[]
  /** Checks the response body, because a failed tool call has status 200. */
  isSuccess?(responseBody: string): boolean
}

export const clients = 20

// Many short rounds are better than a few long ones: a disturbance affects only one of them.
export function loadRounds({ quick }: Context): Bounds {
  return quick ? { min: 3, max: 8 } : { min: 8, max: 21 }
}

/**
 * Successful requests per second of all clients, each of which sends its next request after a
 * response. Any error is thrown.
 */
export async function postsPerSecond(load: Load): Promise<number> {
  const { url, body, seconds, clientHeaders, isSuccess } = load
  const headers = { 'content-type': 'application/json', ...load.headers }
  let client = 0
  const result = await autocannon({
    url,
    method: 'POST',
    headers,
    body,
    connections: clients,
    duration: seconds,
    ...(clientHeaders && {
      setupClient: (one) => one.setHeaders({ ...headers, ...clientHeaders[client++] }),
    }),
    ...(isSuccess && { verifyBody: (body) => isSuccess(String(body)) }),
  })
  const { errors, timeouts, non2xx, mismatches } = result
  if (errors + timeouts + non2xx + mismatches > 0) {
    throw new Error(
      `${url}: ${errors} errors, ${timeouts} timeouts, ${non2xx} not 2xx, ${mismatches} wrong response bodies.`,
    )
  }
  return result['2xx'] / result.duration
}
