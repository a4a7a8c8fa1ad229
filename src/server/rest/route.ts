import type { z } from 'zod'
import type { KeyScope } from '../../contract/workspace.ts'
import type { Actor, PersonActor } from '../domain/actor.ts'
import type { Service } from '../domain/service.ts'
import type { KeyOwner } from '../domain/workspaces/find-key-owner.ts'
import type { Device, Person, SignedInPerson } from '../domain/workspaces/person.ts'

/**
 * Who may call a route. `agent-or-member`: an API key, or a member with a cookie. `member`: people only, no agent answers
 * for a person. `caller`: a key or a signed-in person, whatever the workspace. `person`: a signed-in person, whatever the
 * workspace. `anyone`: no authentication.
 */
export type Who = 'agent-or-member' | 'member' | 'caller' | 'person' | 'anyone'

export type Caller = { kind: 'key'; owner: KeyOwner } | { kind: 'person'; person: SignedInPerson }

type ActorOf = {
  'agent-or-member': Actor
  member: PersonActor
  caller: Caller
  person: Person
  anyone: undefined
}

/** A request that outlives its authentication: a wait, an event stream, a download. */
export type Held = {
  /** Aborted when the caller goes away or may no longer have what it holds, and when it is released. */
  signal: AbortSignal
  /** Throws what a new request of the same caller would get. */
  confirm(): Promise<void>
  release(): void
}

export type Incoming<W extends Who, P, Q, B> = {
  actor: ActorOf[W]
  params: P
  query: Q
  body: B
  headers: Headers
  /** The address the request came from. */
  from: string
  /** The request comes from our own MCP door, which proved it. */
  isInternal: boolean
  /** Aborted when the caller goes away. */
  signal: AbortSignal
  /** For what outlives its authentication. Released with the response, or by the stream that is its body. */
  hold(): Held
}

export type Answer = {
  status: number
  body?: unknown
  headers?: Record<string, string>
  cookies?: string[]
  stream?: ReadableStream<Uint8Array>
}

/** A route that keys reach says what a key must be allowed for it. */
type ScopeOf<W extends Who> = W extends 'agent-or-member' ? { scope: KeyScope } : { scope?: never }

export type RouteSpec<
  W extends Who,
  P extends z.ZodType,
  Q extends z.ZodType,
  B extends z.ZodType,
> = ScopeOf<W> & {
  method: 'get' | 'post' | 'put' | 'patch' | 'delete'
  /** Below /api/v1, with {names}. */
  path: string
  who: W
  /** The lowest role that may call it; checked by the use case, told in the docs. */
  role?: 'admin' | 'owner'
  /** What somebody who guesses passwords would aim at here: counted like attempts to sign in. */
  throttleKey?(body: z.output<B>, actor: ActorOf[W], service: Service): string | Promise<string>
  summary: string
  params?: P
  query?: Q
  body?: B
  /** The documented answers. No schema: no body. */
  answers: Record<number, z.ZodType | 'event-stream' | 'download' | undefined>
  handle(service: Service, request: Incoming<W, z.output<P>, z.output<Q>, z.output<B>>): Promise<Answer>
}

// biome-ignore lint/suspicious/noExplicitAny: a list of routes forgets what each one knows of its own shapes
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
