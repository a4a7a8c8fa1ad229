import autocannon from 'autocannon'
import type { Context } from './row.ts'
import type { Bounds } from './run-until-conclusive.ts'

export type Load = {
  url: string
  headers: Record<string, string>
  body: string
  seconds: number
  /** Additional headers per client. */
  ofClient?: Record<string, string>[]
  /** Checks the response body, because a failed tool call has status 200. */
  isGood?(answer: string): boolean
}

export const clients = 20

// Many short rounds are better than a few long ones: a disturbance affects only one of them.
export function loadRounds({ quick }: Context): Bounds {
  return quick ? { min: 3, max: 8 } : { min: 8, max: 21 }
}

/** Requests per second of twenty clients, each sending its next request after a response. Any error fails the run. */
export async function postsPerSecond(load: Load): Promise<number> {
  const { url, body, seconds, ofClient, isGood } = load
  const headers = { 'content-type': 'application/json', ...load.headers }
  let client = 0
  const result = await autocannon({
    url,
    method: 'POST',
    headers,
    body,
    connections: clients,
    duration: seconds,
    ...(ofClient && { setupClient: (one) => one.setHeaders({ ...headers, ...ofClient[client++] }) }),
    ...(isGood && { verifyBody: (answer) => isGood(String(answer)) }),
  })
  const { errors, timeouts, non2xx, mismatches } = result
  if (errors + timeouts + non2xx + mismatches > 0) {
    throw new Error(
      `${url}: ${errors} errors, ${timeouts} time-outs, ${non2xx} not 2xx, ${mismatches} wrong answers.`,
    )
  }
  return result['2xx'] / result.duration
}
