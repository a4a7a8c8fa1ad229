import type { Result, Transport } from '../domain/delivery/transport.ts'

// The hop to our own MCP door goes to the one configured address, past the guard of callbacks: nobody else can choose it.

type Push = NonNullable<Transport['push']>

const path = '/webhooks/service'
const patienceMilliseconds = 10_000

/** The MCP door of this process. */
export function callInside(
  fetch: (request: Request) => Response | Promise<Response>,
  publicUrl: string,
): Push {
  return push((init) => Promise.resolve(fetch(new Request(`${publicUrl}${path}`, init))))
}

/** An MCP server elsewhere. */
export function callOutside(mcpUrl: string): Push {
  return push((init) => fetch(`${mcpUrl}${path}`, { ...init, redirect: 'manual' }))
}

/** An MCP server here and one elsewhere. Whichever does not have the session says 421, and the other one's answer counts. */
export function callBoth(inside: Push, outside: Push): Push {
  return async (...call) => {
    const results = [await inside(...call), await outside(...call)]
    const isDelivered = ({ status = 0 }: Result) => status >= 200 && status < 300
    return (
      results.find((result) => !isDelivered(result) && result.status !== 421) ??
      results.find(isDelivered) ??
      results[0]!
    )
  }
}

function push(send: (init: RequestInit) => Promise<Response>): Push {
  return async (headers, body, signal) => {
    const began = performance.now()
    const took = () => Math.round(performance.now() - began)
    try {
      const timeIsUp = AbortSignal.timeout(patienceMilliseconds)
      const response = await send({
        method: 'POST',
        headers,
        body,
        signal: AbortSignal.any([signal, timeIsUp]),
      })
      const answer = (await response.text()).slice(0, 1024)
      return { status: response.status, durationMilliseconds: took(), answer }
    } catch (error) {
      const { message } = error as Error
      return { status: undefined, durationMilliseconds: took(), error: message.slice(0, 300) || 'No answer.' }
    }
  }
}
