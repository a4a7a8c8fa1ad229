import { open } from '../../lib/sealed-text.ts'
import { type Attempt, type DueDelivery, noteAttempt, type Verdict } from '../../storage/deliveries.ts'
import type { Service } from '../service.ts'
import { waitAfter } from './retry-schedule.ts'
import { signedHeaders } from './sign.ts'

// Nobody can put an answer off for longer, by mistake or not.
const longestRetryAfterSeconds = 24 * 3600

type Result = Attempt & { retryAfterSeconds?: number }

/** Sends a signed event to its receiver. The hop to our own MCP door is not an address anybody could have chosen. */
export type Courier = {
  callback(url: string, headers: Record<string, string>, body: string, signal: AbortSignal): Promise<Result>
  push: ((headers: Record<string, string>, body: string, signal: AbortSignal) => Promise<Result>) | undefined
}

/** One attempt, noted in the log with what follows from it. */
export async function deliver(
  { database, secrets }: Service,
  courier: Courier,
  worker: string,
  delivery: DueDelivery,
  signal: AbortSignal,
): Promise<void> {
  const { workspaceId } = delivery
  const plain = delivery.sealedSecrets.map((sealed) => open(sealed, secrets.encryptionKey, workspaceId))
  const headers = signedHeaders(delivery.eventId, delivery.body, plain, new Date())
  const result =
    delivery.kind === 'sse'
      ? await courier.push!(headers, delivery.body, signal)
      : await courier.callback(delivery.url!, headers, delivery.body, signal)
  // We are shutting down: how it went is unknown, and another process tries again when the lease has run out.
  if (signal.aborted && result.status === undefined) return
  await database.inWorkspace(workspaceId, (tx) =>
    noteAttempt(tx, delivery.id, worker, result, verdictOn(delivery, result)),
  )
}

/** 2xx is success, 410 means never again, everything else is tried again, not before Retry-After. */
function verdictOn({ kind, roundCount, ageSeconds }: DueDelivery, result: Result): Verdict {
  const { status } = result
  if (status !== undefined && status >= 200 && status < 300) return { state: 'delivered' }
  if (status === 410 && kind === 'callback') return { state: 'failed' }
  const wait = waitAfter(kind, roundCount + 1, ageSeconds)
  if (wait === undefined) return { state: 'failed' }
  const asked = Math.min(result.retryAfterSeconds ?? 0, longestRetryAfterSeconds)
  return { state: 'pending', inSeconds: Math.max(wait, asked) }
}
