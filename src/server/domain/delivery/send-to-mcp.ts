import { joinSignals } from '../../lib/joined-signal.ts'
import type { AttemptResult, Transport } from './transport.ts'

// Deliveries to our own MCP server skip the address check of callbacks, because no sender can
// choose its URL.

type SendToMcp = NonNullable<Transport['sendToMcp']>

const path = '/webhooks/service'
const timeoutMilliseconds = 10_000

/** Sends to the MCP entry point of this process. */
export function sendToOwnMcp(
  fetch: (request: Request) => Response | Promise<Response>,
  publicUrl: string,
): SendToMcp {
  return createSend((init) => Promise.resolve(fetch(new Request(`${publicUrl}${path}`, init))))
}

/** Sends to a separate MCP server. */
export function sendToRemoteMcp(mcpUrl: string): SendToMcp {
  return createSend((init) => fetch(`${mcpUrl}${path}`, { ...init, redirect: 'manual' }))
}

/**
 * Sends to this process and to a separate MCP server. The delivery fails if either fails. 421 from
 * one of them is not a failure: it means that the session belongs to the other, whose result
 * counts.
 */
export function sendToBoth(own: SendToMcp, remote: SendToMcp): SendToMcp {
  return async (...call) => {
    const results = [await own(...call), await remote(...call)]
    const isDelivered = ({ status = 0 }: AttemptResult) => status >= 200 && status < 300
    return (
      results.find((result) => !isDelivered(result) && result.status !== 421) ??
      results.find(isDelivered) ??
      results[0]!
    )
  }
}

function createSend(send: (init: RequestInit) => Promise<Response>): SendToMcp {
  return async (headers, body, signal) => {
    const startedAt = performance.now()
    const elapsed = () => Math.round(performance.now() - startedAt)
    const timeout = AbortSignal.timeout(timeoutMilliseconds)
    const joined = joinSignals(signal, timeout)
    try {
      const response = await send({ method: 'POST', headers, body, signal: joined.signal })
      const responseBody = (await response.text()).slice(0, 1024)
      return { status: response.status, durationMilliseconds: elapsed(), responseBody }
    } catch (error) {
      const why = timeout.aborted ? `No response within ${timeoutMilliseconds / 1000} s.` : explain(error)
      return { status: undefined, durationMilliseconds: elapsed(), error: why }
    } finally {
      joined.release()
    }
  }
}

/** The message of fetch is always "fetch failed"; its cause says why. */
function explain(error: unknown): string {
  const { code, message } = ((error as Error).cause ?? error) as { code?: string; message?: string }
  return [code, message].filter(Boolean).join(': ').slice(0, 300) || 'The connection failed.'
}
