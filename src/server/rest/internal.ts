import { Hono } from 'hono'
import { z } from 'zod'
import { TaskId, WorkspaceId } from '../../contract/ids.ts'
import { limits } from '../../contract/limits.ts'
import { zodViolations } from '../../contract/zod-violations.ts'
import { findWebhookContext } from '../domain/delivery/webhook-context.ts'
import { invalidRequest, notFound, unauthenticated } from '../domain/problems.ts'
import type { Service } from '../domain/service.ts'
import { awaitTask } from '../domain/tasks/find-task.ts'
import type { KeyLookup } from '../domain/workspaces/find-key-owner.ts'
import { sameTextAs } from '../lib/same-text.ts'
import type { Environment } from './api.ts'
import { problemResponse } from './problem.ts'
import { readBody } from './read-request.ts'

/** Whether a request comes from our own MCP door. The token opens `/internal` and nothing else. */
export function createInternalCheck(internalToken: string) {
  const isToken = sameTextAs(internalToken)
  return (headers: Headers): boolean => {
    const given = headers.get('handrail-internal')
    return given !== null && isToken(given)
  }
}

export type InternalOptions = { service: Service } & Pick<KeyLookup, 'findOwnerByDigest' | 'findValidDigests'>

const Digests = z.strictObject({
  digests: z.array(z.string().regex(/^[0-9a-f]{64}$/)).max(limits.internalDigests),
})
const Wait = z.object({
  workspaceId: WorkspaceId,
  waitSeconds: z.coerce.number().int().min(0).max(limits.waitSeconds),
})

/** What the MCP door asks that is nobody else's business. */
export function createInternal(
  { service, findOwnerByDigest, findValidDigests }: InternalOptions,
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
    return context.json({ keyId: owner.keyId, workspaceId: owner.workspaceId, scopes: owner.scopes })
  })
  app.post('/keys', async (context) => {
    const asked = Digests.safeParse(await readBody(context.req.raw))
    if (!asked.success) throw invalidRequest(zodViolations(asked.error))
    return context.json({ good: await findValidDigests(asked.data.digests) })
  })
  // A stream that listens to tasks has paid for each once, when it began; its waits are nobody's requests.
  app.get('/tasks/:taskId/wait', async (context) => {
    const { taskId } = context.req.param()
    const asked = Wait.safeParse(context.req.query())
    if (!asked.success) throw invalidRequest(zodViolations(asked.error))
    const { workspaceId, waitSeconds } = asked.data
    if (!TaskId.safeParse(taskId).success) throw notFound('task')
    context.get('facts').long = true
    return context.json({
      status: await awaitTask(service, workspaceId, taskId, waitSeconds, context.req.raw.signal),
    })
  })
  app.get('/tasks/:taskId/webhook', async (context) => {
    const taskId = TaskId.safeParse(context.req.param('taskId'))
    const eventId = context.req.query('eventId')
    const facts = taskId.success ? await findWebhookContext(service, taskId.data, eventId) : undefined
    if (!facts) return problemResponse(notFound('task'), context.get('facts').requestId)
    return context.json(facts)
  })
  return app
}
