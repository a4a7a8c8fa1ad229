import { WorkspaceId } from '../../contract/ids.ts'
import { hasScope, type KeyScope, type Role } from '../../contract/workspace.ts'
import type { Actor, PersonActor } from '../domain/actor.ts'
import { DomainProblem, forbidden, invalidRequest, unauthenticated } from '../domain/problems.ts'
import type { Service } from '../domain/service.ts'
import type { FindKeyOwner, KeyOwner } from '../domain/workspaces/find-key-owner.ts'
import type { SignedInPerson } from '../domain/workspaces/person.ts'
import type { Caller } from './route.ts'

/** Who is calling, by key or by cookie. A key wins: a program may run in a browser that is signed in. */
export async function authenticate(
  service: Service,
  findKeyOwner: FindKeyOwner,
  origins: string[],
  request: Request,
): Promise<Caller> {
  const key = readKey(request.headers)
  if (key !== undefined) {
    const owner = await findKeyOwner(key)
    if (!owner) throw unauthenticated('This API key is not known, was revoked or has expired.')
    return { kind: 'key', owner }
  }
  if (!request.headers.has('cookie')) {
    throw unauthenticated('Send an API key as X-Api-Key or Authorization: Bearer, or sign in.')
  }
  requireOurOrigin(request, origins)
  const person = await service.people.findSignedInPerson(request.headers)
  if (!person) throw notSignedIn()
  // A page that was opened before someone else signed in, in another tab, must not act as them.
  const expected = request.headers.get('handrail-person')
  if (expected !== null && expected !== person.id) {
    throw unauthenticated('Someone else has signed in with this browser meanwhile. Sign in again.')
  }
  return { kind: 'person', person }
}

export function notSignedIn(): DomainProblem {
  return unauthenticated('You are not signed in, or your session has ended. Sign in again.')
}

export function readKey(headers: Headers): string | undefined {
  const bearer = /^Bearer +(\S+)$/i.exec(headers.get('authorization') ?? '')?.[1]
  const header = headers.get('x-api-key')?.trim() || undefined
  if (headers.has('authorization') && bearer === undefined) {
    throw new DomainProblem('unauthenticated', 'Authorization must be "Bearer <API key>".')
  }
  if (bearer !== undefined && header !== undefined && bearer !== header) {
    throw invalidRequest([
      { path: 'X-Api-Key', message: 'Differs from the key in Authorization. Send one of the two.' },
    ])
  }
  return bearer ?? header
}

/** Cookies travel with requests that other sites start; an Origin of ours cannot be forged there. */
export function requireOurOrigin(request: Request, origins: string[]): void {
  if (request.method === 'GET' || request.method === 'HEAD') return
  const origin = request.headers.get('origin')
  if (origin === null)
    throw forbidden('A request with a cookie that changes something needs an Origin header.')
  if (!origins.includes(origin)) {
    throw forbidden(
      `The origin ${origin.slice(0, 200)} is not this service. If it should be, set PUBLIC_URL to it.`,
    )
  }
}

export function requireScope({ scopes }: KeyOwner, needed: KeyScope): void {
  if (hasScope(scopes, needed)) return
  throw forbidden(
    `This needs an API key with the scope ${needed}. This one has ${scopes.join(', ')}. Ask an admin for another key.`,
  )
}

/** The caller as an actor of one workspace. */
export function actorOf(caller: Caller, request: Request, from: string): Actor {
  if (caller.kind === 'key') {
    const { keyId, workspaceId, workspaceName, name } = caller.owner
    return { kind: 'key', workspaceId, workspaceName, id: keyId, name, from }
  }
  return personActor(caller.person, wantedWorkspace(request), from)
}

function wantedWorkspace(request: Request): string | undefined {
  // Event streams and downloads cannot carry a header.
  return (
    request.headers.get('handrail-workspace') ??
    new URL(request.url).searchParams.get('workspace') ??
    undefined
  )
}

function personActor(person: SignedInPerson, wanted: string | undefined, from: string): PersonActor {
  const all = person.workspaces
  if (wanted === undefined && all.length !== 1) {
    const message =
      all.length === 0 ? 'You are in no workspace.' : 'You are in several workspaces. Name one by its id.'
    throw invalidRequest([{ path: 'Handrail-Workspace', message }])
  }
  const workspace = wanted === undefined ? all[0]! : all.find((candidate) => candidate.workspaceId === wanted)
  if (!workspace) {
    if (!WorkspaceId.safeParse(wanted).success) {
      throw invalidRequest([{ path: 'Handrail-Workspace', message: 'Must be the id of a workspace, wsp_…' }])
    }
    throw new DomainProblem('not_found', 'There is no such workspace, or you are not in it.')
  }
  return {
    kind: 'person',
    workspaceId: workspace.workspaceId,
    id: person.id,
    email: person.email,
    emailVerified: person.emailVerified,
    name: person.name,
    role: workspace.role as Role,
    from,
    via: 'web',
  }
}
