import { setTimeout as sleep } from 'node:timers/promises'
import { type Context, Hono } from 'hono'
import { WorkspaceId } from '../../contract/ids.ts'
import { findConnection, isConnectionKnown } from '../domain/notifications/slack/connection.ts'
import { respondToSlack } from '../domain/notifications/slack/interactions.ts'
import { readSlackRequest } from '../domain/notifications/slack/payload.ts'
import type { Service } from '../domain/service.ts'
import { networkOf } from '../lib/client-address.ts'
import { decodeUtf8, readBytes } from '../lib/read-bytes.ts'
import type { Limit } from '../lib/request-limit.ts'
import { isSignedBySlack, readSlackSignature } from '../lib/slack-signature.ts'
import type { Environment } from './api.ts'

export type SlackOptions = {
  service: Service
  callerLimit: Limit | undefined
  clientAddress(context: Context): string
}

// Slack sends the whole message with each click.
const maxBodyBytes = 256 * 1024
const lookupMilliseconds = 2_000

/**
 * `/slack/{workspaceId}/interactions`: clicks, forms and commands, signed by the Slack app of the
 * workspace.
 */
export function createSlack({ service, callerLimit, clientAddress }: SlackOptions): Hono<Environment> {
  const app = new Hono<Environment>()
  app.post('/:workspaceId/interactions', async (context) => {
    const receivedAt = performance.now()
    context.get('requestInfo').route = '/slack/{workspaceId}/interactions'
    const workspaceId = WorkspaceId.safeParse(context.req.param('workspaceId')).data
    const signature = readSlackSignature(context.req.raw.headers)
    if (workspaceId === undefined || !signature) return refuse()
    const bytes = await readBytes(context.req.raw, maxBodyBytes)
    if (!bytes) return respond(413, 'The body is too large.')
    const body = decodeUtf8(bytes)
    if (!isConnectionKnown(service, workspaceId)) {
      const allowance = await callerLimit?.take(`slack ${networkOf(clientAddress(context))}`)
      if (allowance && !allowance.allowed) return respond(429, 'Too many requests.')
    }
    const connection = await withTimeout(findConnection(service, workspaceId))
    if (connection === 'timeout') return respond(503, 'Handrail is busy. Nothing was recorded. Try again.')
    if (!connection || body === undefined || !isSignedBySlack(connection.signingSecret, body, signature))
      return refuse()
    context.get('requestInfo').workspaceId = workspaceId
    const request = readSlackRequest(body)
    // Slack also reports what needs no action, such as a closed form.
    if (!request) return respond(200)
    const responseBody = await respondToSlack(service, { workspaceId, connection }, request, receivedAt)
    return responseBody === undefined ? respond(200) : Response.json(responseBody, { headers: noStore })
  })
  return app
}

/**
 * Returns 'timeout' if a lookup is too slow. The result of the lookup is then ignored. Nothing is
 * lost: a request has no effect before its signature is checked.
 */
async function withTimeout<T>(lookup: Promise<T>): Promise<T | 'timeout'> {
  const timer = new AbortController()
  try {
    return await Promise.race([
      lookup,
      sleep(lookupMilliseconds, 'timeout' as const, { signal: timer.signal }),
    ])
  } finally {
    timer.abort()
    lookup.catch(() => undefined)
  }
}

const noStore = { 'cache-control': 'no-store' }

/** The same response for an unknown workspace, a workspace without Slack, and a wrong or old signature. */
function refuse(): Response {
  return respond(401, 'The request is not signed by the Slack app of this workspace.')
}

function respond(status: number, text = ''): Response {
  return new Response(text, { status, headers: noStore })
}
