import { Webhook } from 'standardwebhooks'
import { z } from 'zod'
import { TaskId } from '../../contract/ids.ts'
import { limits } from '../../contract/limits.ts'
import type { Logger } from '../lib/logger.ts'
import { decodeUtf8, readBytes } from '../lib/read-bytes.ts'
import { placeOf, type SessionStore } from '../lib/session-store.ts'
import type { Backend, WebhookContext } from './backend.ts'

const Event = z.looseObject({ eventId: z.string().min(1).max(64), type: z.string().max(64), taskId: TaskId })

/**
 * POST /webhooks/service: a task has ended. The call is signed with the secret of the task's workspace, but that secret
 * is also held by receivers of callbacks, so it does not make an answer: what is pushed is the event the backend has stored
 * under this id for this task, whatever the body says. It is appended once per session and event.
 */
export function createHandledWebhook(options: { backend: Backend; store: SessionStore; log: Logger }) {
  const { backend, store, log } = options

  return async function receive(request: Request): Promise<Response> {
    const bytes = await readBytes(request, limits.bodyBytes)
    if (!bytes) return refuse(413, 'The body is too large.')
    const text = decodeUtf8(bytes) ?? ''
    const parsed = Event.safeParse(readJson(text))
    if (!parsed.success) return refuse(400, 'The body is not an event of a task.')
    const { taskId, eventId } = parsed.data
    try {
      const facts = await backend.findWebhookContext(taskId, eventId)
      // One answer for an unknown task and a bad signature: whoever cannot sign learns nothing.
      if (!facts || !isSigned(text, request.headers, facts.secrets))
        return refuse(401, 'The signature is not right.')
      if (facts.event === undefined) {
        const about = { taskId, eventId, workspaceId: facts.workspaceId }
        return refuse(409, 'This task has no such event to push.', about)
      }
      if (facts.sessionId !== undefined && placeOf(facts.sessionId) !== store.place) {
        const about = { taskId, eventId, workspaceId: facts.workspaceId }
        return refuse(
          421,
          'The session of this task is at another MCP server. Set SERVICE_MCP_PUBLIC_URL to its address.',
          about,
        )
      }
      const message = notificationOf(facts.event)
      for (const sessionId of await recipients(facts)) await store.append(sessionId, eventId, message)
      return new Response(null, { status: 204 })
    } catch (error) {
      log.warn({ err: error, taskId, eventId }, 'a webhook could not be taken; its sender will try again')
      return Response.json(
        { detail: 'Not available right now. Try again.' },
        { status: 503, headers: { 'retry-after': '2' } },
      )
    }
  }

  /** The session that made the task; and the key's sessions that listen right now, if that one does not. */
  async function recipients({ sessionId, keyId }: WebhookContext): Promise<Set<string>> {
    const listening = await store.streamingSessions(keyId, sessionId)
    return new Set(sessionId === undefined ? listening : [sessionId, ...listening])
  }

  function refuse(status: number, detail: string, about: Record<string, string> = {}): Response {
    log.warn({ status, ...about }, `a webhook was refused: ${detail}`)
    return Response.json({ detail }, { status })
  }
}

/** The text of the stored event goes in as it is: parsed and written anew, its numbers might change. */
function notificationOf(event: string): string {
  return `{"jsonrpc":"2.0","method":"notifications/message","params":{"level":"info","logger":"service","data":${event}}}`
}

function readJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

function isSigned(text: string, headers: Headers, secrets: string[]): boolean {
  const plain = Object.fromEntries(headers)
  return secrets.some((secret) => {
    try {
      new Webhook(secret).verify(text, plain)
      return true
    } catch {
      return false
    }
  })
}
