import { type Context, Hono } from 'hono'
import type { Violation } from '../../contract/violation.ts'
import type { Actor } from '../domain/actor.ts'
import { forbidden, invalidRequest } from '../domain/problems.ts'
import type { Limit } from '../lib/request-limit.ts'
import { actorOf, authenticate, requireOurOrigin, requireScope } from './authenticate.ts'
import { countRequest } from './caller-limit.ts'
import { createHeldRequests, type HeldOptions } from './held-requests.ts'
import { problemResponse, toDomainProblem } from './problem.ts'
import { parsePart, readBody, readQuery, refuseNul } from './read-request.ts'
import type { Answer, Caller, Held, Route } from './route.ts'
import { routes } from './routes.ts'
import { countKnown, countStranger, type SignInLimits } from './sign-in-limits.ts'

export type ApiOptions = SignInLimits &
  HeldOptions & {
    /** Of the requests of a key, and of those of a person. */
    callerLimit: Limit
    clientAddress(context: Context): string
    isInternal(headers: Headers): boolean
  }

export type Facts = {
  requestId: string
  actor?: string
  workspaceId?: string | undefined
  route?: string
  long?: boolean
}
export type Environment = { Variables: { facts: Facts } }

/** `/api/v1`: every route of routes.ts, mounted the same way. */
export function createApi(options: ApiOptions): Hono<Environment> {
  const api = new Hono<Environment>()
  const hold = createHeldRequests(options)
  for (const route of routes) {
    api.on(route.method.toUpperCase(), route.path.replace(/\{(\w+)\}/g, ':$1'), (context) =>
      call(route, context, options, hold),
    )
  }
  return api
}

async function call(
  route: Route,
  context: Context<Environment>,
  options: ApiOptions,
  hold: ReturnType<typeof createHeldRequests>,
): Promise<Response> {
  const { service } = options
  const facts = context.get('facts')
  facts.route = route.path
  let limitHeaders: Record<string, string> = {}
  let held: Held | undefined
  let renewedCookies: string[] = []
  const respond = (response: Response) => {
    for (const cookie of renewedCookies) response.headers.append('set-cookie', cookie)
    for (const [name, value] of Object.entries(limitHeaders)) response.headers.set(name, value)
    return response
  }
  try {
    const request = context.req.raw
    const from = options.clientAddress(context)
    const isInternal = options.isInternal(request.headers)
    let actor: unknown
    if (route.who === 'anyone') {
      // No cookie is read here, but one may be set: another site must not sign a visitor in.
      if (request.headers.has('origin')) requireOurOrigin(request, options.origins)
    } else {
      const caller = await authenticate(service, options.findKeyOwner, options.origins, request)
      noteCaller(facts, caller)
      if (caller.kind === 'person') renewedCookies = caller.person.renewedCookies
      // Our own MCP entry point has counted its caller's request already.
      if (!isInternal) limitHeaders = await countRequest(options.callerLimit, caller.kind, callerId(caller))
      if (['member', 'person'].includes(route.who) && caller.kind === 'key') {
        throw forbidden('Only people may do this: an API key cannot. Sign in to the inbox.')
      }
      if (route.scope && caller.kind === 'key') requireScope(caller.owner, route.scope)
      actor = actorFor(route, caller, request, from)
      facts.workspaceId ??= (actor as { workspaceId?: string }).workspaceId
    }
    const parts = await readParts(route, context)
    if (route.throttleKey) {
      const count = route.who === 'anyone' ? countStranger : countKnown
      await count(options, from, await route.throttleKey(parts.body, actor, service))
    }
    const answer = await route.handle(service, {
      actor,
      ...parts,
      headers: request.headers,
      from,
      isInternal,
      // Made when it is asked for: most routes never do.
      get signal() {
        return request.signal
      },
      hold: () => {
        held ??= hold(route, request, actor as Actor)
        return held
      },
    })
    if (!answer.stream) held?.release()
    // Nobody reads the stream then, and nobody would end it.
    else if (request.method === 'HEAD') await answer.stream.cancel()
    facts.long =
      answer.stream !== undefined ||
      Number((parts.query as { waitSeconds?: number } | undefined)?.waitSeconds ?? 0) > 0
    return respond(toResponse(answer))
  } catch (error) {
    held?.release()
    const problem = toDomainProblem(error)
    if (problem.code === 'internal')
      service.log.error({ err: error, requestId: facts.requestId }, 'a request failed')
    return respond(problemResponse(problem, facts.requestId))
  }
}

function actorFor({ who }: Route, caller: Caller, request: Request, from: string): unknown {
  if (who === 'caller') return caller
  if (who === 'person' && caller.kind === 'person') return caller.person
  return actorOf(caller, request, from)
}

async function readParts(route: Route, context: Context) {
  const violations: Violation[] = []
  const url = new URL(context.req.url)
  const rawParams = context.req.param() as Record<string, string>
  const rawQuery = readQuery(url)
  refuseNul(rawParams, violations)
  refuseNul(rawQuery, violations)
  // Read by authenticate already; no route has to name it.
  delete rawQuery.workspace
  const params = parsePart(route.params, rawParams, violations)
  const query = parsePart(route.query, rawQuery, violations)
  if (!route.query)
    for (const path of Object.keys(rawQuery))
      violations.push({ path, message: 'Unknown parameter. Remove it.' })
  // The body last: with a wrong path there is no point in reading it.
  if (violations.length > 0) throw invalidRequest(violations)
  const body = route.body
    ? parsePart(route.body, (await readBody(context.req.raw)) ?? {}, violations)
    : undefined
  if (violations.length > 0) throw invalidRequest(violations)
  return { params, query, body }
}

function callerId(caller: Caller): string {
  return caller.kind === 'key' ? caller.owner.keyId : caller.person.id
}

function noteCaller(facts: Facts, caller: Caller): void {
  facts.actor = callerId(caller)
  if (caller.kind === 'key') facts.workspaceId = caller.owner.workspaceId
}

function toResponse({ status, body, headers, cookies, stream }: Answer): Response {
  const out = new Headers({ 'cache-control': 'no-store', ...headers })
  for (const cookie of cookies ?? []) out.append('set-cookie', cookie)
  if (stream) return new Response(stream, { status, headers: out })
  if (body === undefined) return new Response(null, { status, headers: out })
  if (!out.has('content-type')) out.set('content-type', 'application/json')
  return new Response(JSON.stringify(body), { status, headers: out })
}
