import { Hono } from 'hono'
import { TaskId } from '../../contract/ids.ts'
import { findWebhookFacts } from '../domain/delivery/webhook-facts.ts'
import { notFound, unauthenticated } from '../domain/problems.ts'
import type { Service } from '../domain/service.ts'
import type { KeyLookup } from '../domain/workspaces/find-key-owner.ts'
import { sameTextAs } from '../lib/same-text.ts'
import type { Environment } from './api.ts'
import { problemResponse } from './problem.ts'

/** Whether a request comes from our own MCP door. The token opens `/internal` and nothing else. */
export function createInternalCheck(internalToken: string) {
  const isToken = sameTextAs(internalToken)
  return (headers: Headers): boolean => {
    const given = headers.get('handrail-internal')
    return given !== null && isToken(given)
  }
}

/** What the MCP door asks that is nobody else's business. */
export function createInternal(
  { service, findOwnerByDigest }: { service: Service; findOwnerByDigest: KeyLookup['findOwnerByDigest'] },
  isInternal: (headers: Headers) => boolean,
): Hono<Environment> {
  const app = new Hono<Environment>()
  app.use(async (context, next) => {
    if (isInternal(context.req.raw.headers)) return await next()
    return problemResponse(
      unauthenticated('Only the MCP server may ask here.'),
      context.get('facts').requestId,
    )
  })
  app.get('/keys/:digest', async (context) => {
    const owner = await findOwnerByDigest(context.req.param('digest'))
    if (!owner) return problemResponse(notFound('API key'), context.get('facts').requestId)
    return context.json({ keyId: owner.keyId, workspaceId: owner.workspaceId })
  })
  app.get('/tasks/:taskId/webhook', async (context) => {
    const taskId = TaskId.safeParse(context.req.param('taskId'))
    const facts = taskId.success ? await findWebhookFacts(service, taskId.data) : undefined
    if (!facts) return problemResponse(notFound('task'), context.get('facts').requestId)
    return context.json(facts)
  })
  return app
}
