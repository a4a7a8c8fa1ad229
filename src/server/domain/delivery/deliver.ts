import type { Trace } from '../../../contract/trace.ts'
import { open } from '../../lib/sealed-text.ts'
import { type DueDelivery, noteAttempt, type Verdict } from '../../storage/delivery/deliveries.ts'
import { fanOut } from '../notifications/fan-out.ts'
import { sendMail, sendToChat } from '../notifications/send.ts'
import type { Service } from '../service.ts'
import { waitAfter } from './retry-schedule.ts'
import { signedHeaders } from './sign.ts'
import type { Result, Transport } from './transport.ts'

// Nobody can put an answer off for longer, by mistake or not.
const longestRetryAfterSeconds = 24 * 3600

type Outgoing = DueDelivery & { kind: Exclude<DueDelivery['kind'], 'notice'> }

/** One attempt, noted in the log with what follows from it. A notice is none: it becomes deliveries. */
export async function deliver(
  service: Service,
  transport: Transport,
  worker: string,
  delivery: DueDelivery,
  signal: AbortSignal,
): Promise<void> {
  if (delivery.kind === 'notice') return await fanOut(service, worker, delivery)
  const outgoing = delivery as Outgoing
  const result = await attempt(service, transport, outgoing, signal)
  // We are shutting down: how it went is unknown, and another process tries again when the lease has run out.
  if (signal.aborted && result.status === undefined) return
  await service.database.inWorkspace(delivery.workspaceId, (tx) =>
    noteAttempt(tx, delivery.id, worker, result, verdictOn(outgoing, result)),
  )
}

async function attempt(
  service: Service,
  transport: Transport,
  delivery: Outgoing,
  signal: AbortSignal,
): Promise<Result> {
  if (delivery.kind === 'mail') return await sendMail(service, delivery)
  if (delivery.kind === 'chat') return await sendToChat(service, transport, delivery, signal)
  const { workspaceId, body } = delivery
  const plain = delivery.sealedSecrets.map((sealed) =>
    open(sealed, service.secrets.encryptionKey, workspaceId),
  )
  const headers = signedHeaders(delivery.eventId, body, plain, new Date())
  return delivery.kind === 'sse'
    ? await transport.push!(headers, body, signal)
    : await transport.callback(delivery.url!, { ...headers, ...traceOf(body) }, body, signal)
}

/** A receiver continues the trace by the headers, as the sender's own services do. */
function traceOf(body: string): Partial<Trace> {
  const { traceparent, tracestate } = JSON.parse(body) as Partial<Trace>
  return {
    ...(traceparent !== undefined && { traceparent }),
    ...(tracestate !== undefined && { tracestate }),
  }
}

/** 2xx is success, 410 means never again, everything else is tried again, not before Retry-After. */
function verdictOn({ kind, roundCount, ageSeconds }: Outgoing, result: Result): Verdict {
  const { status } = result
  if (status !== undefined && status >= 200 && status < 300) return { state: 'delivered' }
  if (status === 410 && kind !== 'sse') return { state: 'failed' }
  const wait = waitAfter(kind, roundCount + 1, ageSeconds)
  if (wait === undefined) return { state: 'failed' }
  const asked = Math.min(result.retryAfterSeconds ?? 0, longestRetryAfterSeconds)
  return { state: 'pending', inSeconds: Math.max(wait, asked) }
}
