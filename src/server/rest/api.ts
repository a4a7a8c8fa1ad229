import { type Context, Hono } from 'hono'
import type { Confirmation } from '../../contract/confirmation.ts'
import type { Violation } from '../../contract/violation.ts'
import { type Actor, type PersonActor, requireRole } from '../domain/actor.ts'
import { conflict, forbidden, invalidRequest } from '../domain/problems.ts'
import type { Service } from '../domain/service.ts'
import type { KeyLookup } from '../domain/workspaces/find-key-owner.ts'
import type { Limit } from '../lib/request-limit.ts'
import {
  actorOf,
  authenticate,
  refuseConnectedApp,
  requireNetwork,
  requireOurOrigin,
  requireScope,
} from './authenticate.ts'
import { enforceBatchLimit, enforceCallerLimit } from './caller-limit.ts'
import { requireConfirmation } from './confirm.ts'
import { createHeldRequests } from './held-requests.ts'
import { rememberDevice } from './known-devices.ts'
import { problemResponse, toDomainProblem } from './problem.ts'
import { parsePart, readBody, readQuery, refuseNul, withIdempotencyKey } from './read-request.ts'
import type { Caller, HeldRequest, Route, RouteResponse } from './route.ts'
import { routes } from './routes.ts'
import { enforceAnonymousSignInLimit, enforceKnownSignInLimit, type SignInLimits } from './sign-in-limits.ts'

// After a slower body the caller is identified again. Someone who lost access could otherwise hold
// back the body of a request that they started before, and act until the connection times out.
const slowBodyMilliseconds = 1_000

export type ApiOptions = SignInLimits & {
  service: Service
  keys: KeyLookup
  /** The origins of our own pages. */
  origins: string[]
  /** Limits the requests per API key and per person. */
  callerLimit: Limit | undefined
  clientAddress(context: Context): string
  isInternal(headers: Headers): boolean
}

export type RequestInfo = {
  requestId: string
  /** The id of the API key, connected app or person that sent the request. */
  actor?: string
  workspaceId?: string | undefined
  route?: string
  /** Logged instead of a path that contains a token. */
  loggedPath?: string
  /** A wait, a stream or a download: its duration is not a latency and is kept out of the metrics. */
  isLongLived?: boolean
}
export type Environment = { Variables: { requestInfo: RequestInfo } }

/** `/api/v1`: all routes of routes.ts. */
export function createApi(options: ApiOptions): Hono<Environment> {
  const api = new Hono<Environment>()
  const hold = createHeldRequests(options)
  for (const route of routes) {
    api.on(route.method.toUpperCase(), route.path.replace(/\{(\w+)\}/g, ':$1'), (context) =>
      callRoute(route, context, options, hold),
    )
  }
  return api
}

async function callRoute(
  route: Route,
  context: Context<Environment>,
  options: ApiOptions,
  hold: ReturnType<typeof createHeldRequests>,
): Promise<Response> {
  const { service } = options
  const requestInfo = context.get('requestInfo')
  requestInfo.route = route.path
  let limitHeaders: Record<string, string> = {}
  let held: HeldRequest | undefined
  let signal: AbortSignal | undefined
  let renewedCookies: string[] = []
  const withHeaders = (response: Response) => {
    for (const cookie of renewedCookies) response.headers.append('set-cookie', cookie)
    for (const [name, value] of Object.entries(limitHeaders)) response.headers.set(name, value)
    return response
  }
  try {
    const request = context.req.raw
    const from = options.clientAddress(context)
    const isInternal = options.isInternal(request.headers)
    let actor: unknown
    let caller: Caller | undefined
    if (route.who === 'anyone') {
      // These routes read no session cookie, but they may set one: another site must not be able to
      // sign a visitor in. The cookies that they read are those of single sign-on and known devices.
      if (request.headers.has('origin')) requireOurOrigin(request, options.origins)
    } else {
      caller = await identifyCaller(options, request, from)
      recordCaller(requestInfo, caller)
      if (caller.kind === 'person') renewedCookies = caller.person.renewedCookies
      // Our own MCP entry point has counted its caller's request already.
      if (!isInternal)
        limitHeaders = await enforceCallerLimit(options.callerLimit, caller.kind, callerId(caller))
      if (['member', 'person'].includes(route.who) && caller.kind === 'key') {
        throw forbidden('API keys cannot do this. Sign in to the inbox as a person.')
      }
      if (route.scope && caller.kind === 'key') requireScope(caller.owner, route.scope)
      actor = actorFor(route, caller, request, from)
      requestInfo.workspaceId ??= (actor as { workspaceId?: string }).workspaceId
    }
    const bodyStartedAt = performance.now()
    const parts = await readParts(route, context)
    if (caller && performance.now() - bodyStartedAt > slowBodyMilliseconds) {
      caller = await identifyCaller(options, request, from)
      actor = actorFor(route, caller, request, from)
    }
    if (route.countRequests && caller && !isInternal) {
      const additional = route.countRequests(parts.body) - 1
      limitHeaders = {
        ...limitHeaders,
        ...(await enforceBatchLimit(options.callerLimit, caller.kind, callerId(caller), additional)),
      }
    }
    if (caller?.kind === 'person' && route.confirms?.(parts.body, actor)) {
      if (route.role) requireRole(actor as PersonActor, route.role)
      await requireConfirmation(options, caller.person, parts.body as Confirmation, request.headers, from)
    }
    if (route.throttleKey) {
      const enforceSignInLimit =
        route.who === 'anyone' ? enforceAnonymousSignInLimit : enforceKnownSignInLimit
      await enforceSignInLimit(options, from, await route.throttleKey(parts.body, actor, service))
    }
    // Set before the request is handled, so that a wait that ends with an error is kept out of the
    // metrics too.
    requestInfo.isLongLived =
      Number((parts.query as { waitSeconds?: number } | undefined)?.waitSeconds ?? 0) > 0
    const response = await route.handle(service, {
      actor,
      ...parts,
      headers: request.headers,
      requestId: requestInfo.requestId,
      from,
      isInternal,
      // A getter, because Node creates the signal on first access and most routes do not need it.
      get signal() {
        signal ??= request.signal
        return signal
      },
      hold: () => {
        held ??= hold(route, request, actor as Actor)
        return held
      },
    })
    if (route.who === 'anyone' && response.cookies)
      response.cookies.push(...(await rememberDevice(service, request, response.cookies, from, route)))
    if (!response.stream) held?.release()
    // Nobody reads the stream of a HEAD request, so nobody would end it.
    else if (request.method === 'HEAD') await response.stream.cancel()
    if (response.stream) requestInfo.isLongLived = true
    return withHeaders(toResponse(response))
  } catch (error) {
    held?.release()
    const { requestId } = requestInfo
    // Work that ended because the caller has disconnected. Nobody reads this response.
    const isAbandoned = error !== undefined && error === signal?.reason
    const problem = isAbandoned
      ? conflict('The caller disconnected.')
      : toDomainProblem(service, error, requestId)
    return withHeaders(problemResponse(problem, requestId))
  }
}

async function identifyCaller(options: ApiOptions, request: Request, from: string): Promise<Caller> {
  const caller = await authenticate(options.service, options.keys.findKeyOwner, options.origins, request)
  const isInternal = options.isInternal(request.headers)
  if (!isInternal) refuseConnectedApp(caller)
  // To look up a key without the pepper, mcp/backend calls me() without a client address. The MCP
  // entry point then checks the networks of the key itself.
  const hasClient = !isInternal || request.headers.has('handrail-client-address')
  if (caller.kind === 'key' && hasClient) requireNetwork(caller.owner, from)
  return caller
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
  // authenticate.ts has read the workspace, so routes do not declare this parameter.
  delete rawQuery.workspace
  const params = parsePart(route.params, rawParams, violations)
  const query = parsePart(route.query, rawQuery, violations, { isQuery: true })
  if (!route.query)
    for (const path of Object.keys(rawQuery))
      violations.push({ path, message: 'Unknown parameter. Remove it.' })
  // The body is read last, because it need not be read if the path or the query is invalid.
  if (violations.length > 0) throw invalidRequest(violations)
  const body = route.body
    ? parsePart(route.body, (await readBody(context.req.raw)) ?? {}, violations)
    : undefined
  if (violations.length > 0) throw invalidRequest(violations)
  return {
    params,
    query,
    body: route.idempotent
      ? withIdempotencyKey(body as { idempotencyKey?: string }, context.req.raw.headers)
      : body,
  }
}

function callerId(caller: Caller): string {
  return caller.kind === 'key' ? caller.owner.keyId : caller.person.id
}

function recordCaller(requestInfo: RequestInfo, caller: Caller): void {
  requestInfo.actor = callerId(caller)
  if (caller.kind === 'key') requestInfo.workspaceId = caller.owner.workspaceId
}

function toResponse({ status, body, headers, cookies, stream }: RouteResponse): Response {
  const responseHeaders = new Headers({ 'cache-control': 'no-store', ...headers })
  for (const cookie of cookies ?? []) responseHeaders.append('set-cookie', cookie)
  if (stream) return new Response(stream, { status, headers: responseHeaders })
  if (body === undefined) return new Response(null, { status, headers: responseHeaders })
  if (!responseHeaders.has('content-type')) responseHeaders.set('content-type', 'application/json')
  return new Response(JSON.stringify(body), { status, headers: responseHeaders })
}
