import { Hono } from 'hono'
import { z } from 'zod'
import { QuestionId, TaskId, WorkspaceId } from '../../contract/ids.ts'
import { limits } from '../../contract/limits.ts'
import { zodViolations } from '../../contract/zod-violations.ts'
import { findWebhookContext } from '../domain/delivery/webhook-context.ts'
import { issuerOf } from '../domain/oauth/authorization-request.ts'
import { DomainProblem, invalidRequest, notFound, unauthenticated } from '../domain/problems.ts'
import type { Service } from '../domain/service.ts'
import { waitForTask } from '../domain/tasks/get-task.ts'
import type { KeyLookup } from '../domain/workspaces/find-key-owner.ts'
import { sameTextAs } from '../lib/same-text.ts'
import type { Environment } from './api.ts'
import { readBody } from './read-request.ts'

/**
 * Returns a check for whether a request comes from our own MCP entry point. The token grants access
 * to `/internal`. On `/api/v1` it exempts a request from the rate limit and makes its client
 * address and MCP session trusted; an API key, or a token of a connected app, is still required.
 */
export function createInternalCheck(internalToken: string) {
  const isToken = sameTextAs(internalToken)
  return (headers: Headers): boolean => {
    const token = headers.get('handrail-internal')
    return token !== null && isToken(token)
  }
}

export type InternalOptions = { service: Service; keys: KeyLookup }

const Digests = z.strictObject({
  digests: z.array(z.string().regex(/^[0-9a-f]{64}$/)).max(limits.internalDigests),
})
const Wait = z.object({
  workspaceId: WorkspaceId,
  waitSeconds: z.coerce.number().int().min(0).max(limits.waitSeconds),
  afterQuestion: QuestionId.optional(),
})

/** Routes that only the MCP entry point may call. */
export function createInternal(
  { service, keys }: InternalOptions,
  isInternal: (headers: Headers) => boolean,
): Hono<Environment> {
  const app = new Hono<Environment>()
  app.use(async (context, next) => {
    if (!isInternal(context.req.raw.headers))
      throw unauthenticated('Only the MCP server may call this route.')
    await next()
  })
  app.get('/keys/:digest', async (context) => {
    const owner = await keys.findOwnerByDigest(context.req.param('digest'))
    if (!owner) throw new DomainProblem('not_found', 'No API key or token has this digest.')
    const { keyId, workspaceId, scopes, cidrs } = owner
    return context.json({ keyId, workspaceId, scopes, cidrs })
  })
  app.post('/keys', async (context) => {
    const body = await readBody(context.req.raw)
    const input = Digests.safeParse(body)
    if (!input.success) throw invalidRequest(zodViolations(input.error, Digests, body))
    // The valid digests. MCP servers of older releases read this name.
    return context.json({ good: await keys.findValidDigests(input.data.digests) })
  })
  // A separate MCP server refers clients to the issuer of tokens, whose public URL only the backend
  // knows.
  app.get('/oauth', (context) => context.json({ issuer: issuerOf(service) }))
  // A subscription was counted once per task when it started, so its waits do not count as
  // requests.
  app.get('/tasks/:taskId/wait', async (context) => {
    const { taskId } = context.req.param()
    const query = context.req.query()
    const input = Wait.safeParse(query)
    if (!input.success) throw invalidRequest(zodViolations(input.error, Wait, query))
    const { workspaceId, ...wait } = input.data
    if (!TaskId.safeParse(taskId).success) throw notFound('task')
    context.get('requestInfo').isLongLived = true
    return context.json(await waitForTask(service, workspaceId, taskId, wait, context.req.raw.signal))
  })
  app.get('/tasks/:taskId/webhook', async (context) => {
    const taskId = TaskId.safeParse(context.req.param('taskId'))
    const eventId = context.req.query('eventId')
    const webhook = taskId.success ? await findWebhookContext(service, taskId.data, eventId) : undefined
    if (!webhook) throw notFound('task')
    return context.json(webhook)
  })
  return app
}
