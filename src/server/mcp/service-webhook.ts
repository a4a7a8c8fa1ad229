import { Webhook } from 'standardwebhooks'
import { z } from 'zod'
import { TaskId } from '../../contract/ids.ts'
import { limits } from '../../contract/limits.ts'
import type { Logger } from '../lib/logger.ts'
import { storeKindOf } from '../lib/mcp-session-id.ts'
import type { McpSessionStore } from '../lib/mcp-session-store.ts'
import { parseJson } from '../lib/parse-json.ts'
import { decodeUtf8, readBytes } from '../lib/read-bytes.ts'
import { type Backend, fetchWebhookContext, type WebhookContext } from './backend.ts'

// Ignores other fields. A looseObject would copy them, and anyone may send a body of 100,000 fields.
const Event = z.object({ eventId: z.string().min(1).max(64), type: z.string().max(64), taskId: TaskId })

type WebhookReceiver = { backend: Backend; store: McpSessionStore; log: Logger }

/**
 * POST /webhooks/service: a task has ended, or a person has asked its agent a question. The call is
 * signed with the secret of the task's workspace, but receivers of callbacks have that secret too, so
 * the body is not trusted: the event that the backend has stored under this id for this task is
 * pushed, once per session.
 */
export async function receiveServiceWebhook(receiver: WebhookReceiver, request: Request): Promise<Response> {
  const { backend, store, log } = receiver
  const bytes = await readBytes(request, limits.bodyBytes)
  if (!bytes) return refuse(log, 413, 'The body is too large.')
  const text = decodeUtf8(bytes) ?? ''
  const parsed = Event.safeParse(parseJson(text))
  if (!parsed.success) return refuse(log, 400, 'The body is not a task event.')
  const { taskId, eventId } = parsed.data
  try {
    const context = await fetchWebhookContext(backend, taskId, eventId)
    // The same response for an unknown task and a bad signature: a caller who cannot sign learns
    // nothing.
    if (!context || !isSigned(text, request.headers, context.secrets))
      return refuse(log, 401, 'The signature is invalid.')
    const fields = { taskId, eventId, workspaceId: context.workspaceId }
    if (context.event === undefined) return refuse(log, 409, 'This task has no such event to push.', fields)
    if (context.sessionId !== undefined && storeKindOf(context.sessionId) !== store.kind) {
      const detail =
        'The session of this task is on another MCP server. Set SERVICE_MCP_PUBLIC_URL of the backend and the jobs to the URL of that server.'
      return refuse(log, 421, detail, fields)
    }
    const message = notificationOf(context.event)
    const { workspaceId, keyId } = context
    for (const sessionId of await findRecipients(store, context))
      await store.append({ sessionId, workspaceId, keyId }, eventId, message)
    return new Response(null, { status: 204 })
  } catch (error) {
    // The sender retries.
    log.warn({ err: error, taskId, eventId }, 'failed to process webhook')
    return Response.json(
      { detail: 'Temporarily unavailable. Try again.' },
      { status: 503, headers: { 'retry-after': '2' } },
    )
  }
}

/**
 * The session that created the task, if there is one. If that session has no open stream, also the
 * sessions of the key that have one, at most `maxRecipients`.
 */
async function findRecipients(
  store: McpSessionStore,
  { sessionId, keyId }: WebhookContext,
): Promise<Set<string>> {
  const streaming = await store.streamingSessions(keyId, sessionId)
  return new Set(sessionId === undefined ? streaming : [sessionId, ...streaming])
}

function refuse(log: Logger, status: number, detail: string, fields: Record<string, string> = {}): Response {
  log.warn({ status, detail, ...fields }, 'webhook refused')
  return Response.json({ detail }, { status })
}

/**
 * The stored text of the event is inserted unchanged: parsing and serializing it could change its
 * numbers.
 */
function notificationOf(event: string): string {
  return `{"jsonrpc":"2.0","method":"notifications/message","params":{"level":"info","logger":"service","data":${event}}}`
}

function isSigned(text: string, headers: Headers, secrets: string[]): boolean {
  const plainHeaders = Object.fromEntries(headers)
  return secrets.some((secret) => {
    try {
      new Webhook(secret).verify(text, plainHeaders)
      return true
    } catch {
      return false
    }
  })
}
