import type { Trace } from '../../../contract/trace.ts'
import { open } from '../../lib/sealed-text.ts'
import { type DueDelivery, type NextState, recordAttempt } from '../../storage/delivery/deliveries.ts'
import { fanOut } from '../notifications/fan-out.ts'
import { sendMail } from '../notifications/mail/send-mail.ts'
import { sendToChat } from '../notifications/send-to-chat.ts'
import { sendWebPush } from '../notifications/send-web-push.ts'
import { sendToSlack } from '../notifications/slack/send.ts'
import type { Service } from '../service.ts'
import { retryDelaySeconds } from './retry-schedule.ts'
import { signedHeaders } from './sign.ts'
import { type AttemptResult, permanentFailure, type Transport } from './transport.ts'

// Upper bound for a receiver's Retry-After.
const maxRetryAfterSeconds = 24 * 3600

type Outgoing = DueDelivery & { kind: Exclude<DueDelivery['kind'], 'notice'> }

/**
 * Makes one attempt and records its result and the next state. A notice is not sent: `fanOut`
 * replaces it with deliveries.
 */
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
  // This process is shutting down and does not know the result: another process retries when the
  // lease has expired.
  if (signal.aborted && result.status === undefined) return
  await service.database.inWorkspace(delivery.workspaceId, (tx) =>
    recordAttempt(tx, delivery.id, worker, result, nextState(outgoing, result)),
  )
}

async function attempt(
  service: Service,
  transport: Transport,
  delivery: Outgoing,
  signal: AbortSignal,
): Promise<AttemptResult> {
  if (delivery.kind === 'mail')
    return service.sendMail
      ? await sendMail(service, delivery)
      : permanentFailure('No mail server is configured.')
  if (delivery.kind === 'chat') return await sendToChat(service, transport, delivery, signal)
  if (delivery.kind === 'push') return await sendWebPush(service, transport, delivery, signal)
  if (delivery.kind === 'slack') return await sendToSlack(service, delivery, signal)
  if (delivery.kind === 'sse' && !transport.sendToMcp) return permanentFailure('No MCP server is configured.')
  const { workspaceId, body } = delivery
  const signingSecrets = delivery.sealedSecrets.map((sealed) =>
    open(sealed, service.secrets.encryptionKey, workspaceId),
  )
  const headers = signedHeaders(delivery.eventId, body, signingSecrets, new Date())
  // POST /webhooks/service, handled in mcp/service-webhook.ts.
  if (delivery.kind === 'sse') return await transport.sendToMcp!(headers, body, signal)
  return await transport.post(delivery.url!, { ...headers, ...traceOf(body) }, body, signal)
}

/** The trace headers that the sender of the task sent, so that the receiver can continue its trace. */
function traceOf(body: string): Partial<Trace> {
  const { traceparent, tracestate } = JSON.parse(body) as Partial<Trace>
  return {
    ...(traceparent !== undefined && { traceparent }),
    ...(tracestate !== undefined && { tracestate }),
  }
}

/**
 * A 2xx status and `isNotNeeded` count as delivered. `isPermanent` and a 410 (except from our own
 * MCP server) count as failed. Any other result is retried, not before Retry-After, until the
 * schedule ends.
 */
function nextState({ kind, roundCount, ageSeconds }: Outgoing, result: AttemptResult): NextState {
  const { status } = result
  if (result.isNotNeeded) return { state: 'delivered' }
  if (status !== undefined && status >= 200 && status < 300) return { state: 'delivered' }
  if (result.isPermanent || (status === 410 && kind !== 'sse')) return { state: 'failed' }
  const delay = retryDelaySeconds(kind, roundCount + 1, ageSeconds)
  if (delay === undefined) return { state: 'failed' }
  const retryAfter = Math.min(result.retryAfterSeconds ?? 0, maxRetryAfterSeconds)
  return { state: 'pending', inSeconds: Math.max(delay, retryAfter) }
}
