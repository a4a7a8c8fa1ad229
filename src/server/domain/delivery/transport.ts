import type { Attempt } from '../../storage/delivery/deliveries.ts'

export type Result = Attempt & { retryAfterSeconds?: number }

/** Sends a signed event to its receiver. `push` goes to our own MCP server, never to a URL from a request. */
export type Transport = {
  callback(url: string, headers: Record<string, string>, body: string, signal: AbortSignal): Promise<Result>
  push: ((headers: Record<string, string>, body: string, signal: AbortSignal) => Promise<Result>) | undefined
}
