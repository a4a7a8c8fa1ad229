import type { Attempt } from '../../storage/delivery/deliveries.ts'

export type Result = Attempt & { retryAfterSeconds?: number }

/** Sends a signed event to its receiver. The hop to our own MCP door is not an address anybody could have chosen. */
export type Transport = {
  callback(url: string, headers: Record<string, string>, body: string, signal: AbortSignal): Promise<Result>
  push: ((headers: Record<string, string>, body: string, signal: AbortSignal) => Promise<Result>) | undefined
}
