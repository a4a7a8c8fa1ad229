import type { z } from 'zod'
import type { KeyScope } from '../../contract/api-key.ts'
import type { Actor, PersonActor } from '../domain/actor.ts'
import type { Service } from '../domain/service.ts'
import type { KeyOwner } from '../domain/workspaces/find-key-owner.ts'
import type { Device, SignedInPerson } from '../domain/workspaces/person.ts'

/**
 * Who may call a route. `agent-or-member`: an API key, or a member with a cookie. `member`: members
 * only, because agents must not act for people. `caller`: a key or a signed-in person; the request
 * names no workspace. `person`: a signed-in person; the request names no workspace. `anyone`: no
 * authentication.
 */
export type Who = 'agent-or-member' | 'member' | 'caller' | 'person' | 'anyone'

export type Caller = { kind: 'key'; owner: KeyOwner } | { kind: 'person'; person: SignedInPerson }

type ActorOf = {
  'agent-or-member': Actor
  member: PersonActor
  caller: Caller
  person: SignedInPerson
  anyone: undefined
}

/** A request that outlives its authentication: a wait, an event stream, a download. */
export type HeldRequest = {
  /** Aborted when the caller disconnects or loses access, and on release. */
  signal: AbortSignal
  /** Authenticates the caller again; throws what a new request would get. */
  reauthenticate(): Promise<void>
  release(): void
}

export type RouteRequest<W extends Who, P, Q, B> = {
  /** Who acts, and in which workspace. Without a workspace: the caller, or the signed-in person. */
  actor: ActorOf[W]
  params: P
  query: Q
  body: B
  headers: Headers
  requestId: string
  /** The client address. */
  from: string
  /** The request comes from our own MCP entry point, with the internal token. */
  isInternal: boolean
  /** Aborted when the caller disconnects. */
  signal: AbortSignal
  /**
   * For requests that outlive their authentication. Released with the response, or by the stream
   * that is its body.
   */
  hold(): HeldRequest
}

export type RouteResponse = {
  status: number
  body?: unknown
  headers?: Record<string, string>
  cookies?: string[]
  stream?: ReadableStream<Uint8Array>
}

/** `agent-or-member` routes declare the scope that a key needs. `caller` routes need none. */
type ScopeOf<W extends Who> = W extends 'agent-or-member' ? { scope: KeyScope } : { scope?: never }

export type RouteSpec<
  W extends Who,
  P extends z.ZodType,
  Q extends z.ZodType,
  B extends z.ZodType,
> = ScopeOf<W> & {
  method: 'get' | 'post' | 'put' | 'patch' | 'delete'
  /** The path below /api/v1. Parameters are written as {name}. */
  path: string
  /** In the OpenAPI document: the name of the client's method, if there is one. Never changes. */
  operationId: string
  who: W
  /**
   * The lowest role that may use the route in full; shown in the docs. It does not protect the route:
   * the use case must call requireRole. It is also checked before a confirmation, and while a request
   * is held.
   */
  role?: 'admin' | 'owner'
  /** The account or token that requests are counted for. They are limited like sign-in attempts. */
  throttleKey?(body: z.output<B>, actor: ActorOf[W], service: Service): string | Promise<string>
  /**
   * Whether the person must confirm that it is them, with `confirmation` in the body. Attempts are
   * limited like sign-in attempts.
   */
  confirms?(body: z.output<B>, actor: ActorOf[W]): boolean
  /**
   * A sign-in by this route sends no email about a new device, because it takes a link that was sent
   * to the person (invitation) or printed for the operator (setup).
   */
  skipsNewDeviceMail?: true
  /**
   * The header Idempotency-Key is read into the body. The response to a repeated call has the
   * header Idempotency-Replayed.
   */
  idempotent?: true
  /** How many requests a call counts as against the caller's limit. Left out: one. */
  countRequests?(body: z.output<B>): number
  summary: string
  params?: P
  query?: Q
  body?: B
  /** The documented responses by status, with schemas that contract/ exports. No schema: no body. */
  responses: Record<number, z.ZodType | 'event-stream' | 'download' | undefined>
  handle(
    service: Service,
    request: RouteRequest<W, z.output<P>, z.output<Q>, z.output<B>>,
  ): Promise<RouteResponse>
}

// biome-ignore lint/suspicious/noExplicitAny: a list of routes cannot keep the types of each one
export type Route = RouteSpec<any, any, any, any>

export function defineRoute<
  W extends Who,
  P extends z.ZodType = z.ZodType<undefined>,
  Q extends z.ZodType = z.ZodType<undefined>,
  B extends z.ZodType = z.ZodType<undefined>,
>(spec: RouteSpec<W, P, Q, B>): Route {
  return spec
}

export function deviceOf(headers: Headers, from: string): Device {
  return { from, userAgent: headers.get('user-agent')?.slice(0, 500) ?? '' }
}
