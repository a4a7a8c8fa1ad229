import type { KeyScope } from '../../contract/api-key.ts'
import { hasScope } from '../../contract/has-scope.ts'
import { WorkspaceId } from '../../contract/ids.ts'
import type { Role } from '../../contract/workspace.ts'
import type { Actor, PersonActor } from '../domain/actor.ts'
import { DomainProblem, forbidden, invalidRequest, unauthenticated } from '../domain/problems.ts'
import type { Service } from '../domain/service.ts'
import { type FindKeyOwner, isGrant, type KeyOwner } from '../domain/workspaces/find-key-owner.ts'
import type { SignedInPerson } from '../domain/workspaces/person.ts'
import {
  hasSecondFactor,
  needsTwoFactor,
  twoFactorRequired,
} from '../domain/workspaces/two-factor-requirement.ts'
import { readApiKey, refusedApiKeyDetail } from '../lib/credential-format.ts'
import { networkProblem } from '../lib/key-networks.ts'
import type { Caller } from './route.ts'

/**
 * Identifies the caller by API key or cookie. A key takes precedence: a program may run in a
 * browser that is signed in.
 */
export async function authenticate(
  service: Service,
  findKeyOwner: FindKeyOwner,
  origins: string[],
  request: Request,
): Promise<Caller> {
  const key = readKey(request.headers)
  if (key !== undefined) {
    const owner = await findKeyOwner(key)
    if (!owner) throw unauthenticated(refusedApiKeyDetail)
    return { kind: 'key', owner }
  }
  if (!request.headers.has('cookie')) {
    throw unauthenticated('Send an API key as X-Api-Key or Authorization: Bearer, or sign in.')
  }
  requireOurOrigin(request, origins)
  const person = await service.people.findSignedInPerson(request.headers)
  if (!person) throw notSignedIn()
  // If someone else has signed in in another tab, a page that is still open must not act as them.
  const expected = request.headers.get('handrail-person')
  if (expected !== null && expected !== person.id) {
    throw unauthenticated('Someone else has signed in with this browser. Sign in again.')
  }
  return { kind: 'person', person }
}

/**
 * Call for requests that do not come from our own MCP entry point: the token of a connected app is
 * accepted at /mcp/connect only.
 */
export function refuseConnectedApp(caller: Caller): void {
  if (caller.kind === 'key' && isGrant(caller.owner.keyId))
    throw unauthenticated('Tokens of connected apps are only accepted at /mcp/connect. Send an API key.')
}

export function notSignedIn(): DomainProblem {
  return unauthenticated('You are not signed in, or your session has ended. Sign in again.')
}

export function readKey(headers: Headers): string | undefined {
  const { apiKey, isMalformed, hasDifferentKeys } = readApiKey(headers)
  if (isMalformed) {
    throw unauthenticated('Authorization must be "Bearer <API key>".')
  }
  if (hasDifferentKeys) {
    throw invalidRequest([
      { path: 'X-Api-Key', message: 'Differs from the key in Authorization. Send only one of them.' },
    ])
  }
  return apiKey
}

/** Browsers send cookies with requests from other sites too, but those cannot forge our Origin. */
export function requireOurOrigin(request: Request, origins: string[]): void {
  if (request.method === 'GET' || request.method === 'HEAD') return
  const origin = request.headers.get('origin')
  if (origin === null)
    throw forbidden(
      'Without an API key, a request that is not GET or HEAD needs the header Origin. Send the origin of this service.',
    )
  if (!origins.includes(origin)) {
    throw forbidden(
      `The origin ${origin.slice(0, 200)} does not belong to this service. If it should, set PUBLIC_URL to it.`,
    )
  }
}

export function requireScope({ keyId, scopes }: KeyOwner, needed: KeyScope): void {
  if (hasScope(scopes, needed)) return
  if (isGrant(keyId))
    throw forbidden(`This app was connected without the scope ${needed}. Connect it again with this scope.`)
  throw forbidden(
    `This needs an API key with the scope ${needed}. This one has ${scopes.join(', ')}. Ask an admin for another key.`,
  )
}

/** 403 and not 401: the key is valid, so a client should not ask for another one. */
export function requireNetwork({ cidrs }: KeyOwner, from: string): void {
  const problem = networkProblem(cidrs, from)
  if (problem) throw forbidden(problem)
}

/** The caller as an actor of one workspace. */
export function actorOf(caller: Caller, request: Request, from: string): Actor {
  if (caller.kind === 'key') {
    const { keyId, workspaceId, workspaceName, name, apps, types } = caller.owner
    return { kind: 'key', workspaceId, workspaceName, id: keyId, name, apps, types, from }
  }
  return personActor(caller.person, requestedWorkspace(request), from)
}

type RequestedWorkspace = { id: string; sentAs: 'Handrail-Workspace' | 'workspace' }

function requestedWorkspace({ headers, url }: Request): RequestedWorkspace | undefined {
  const header = headers.get('handrail-workspace')
  if (header !== null) return { id: header, sentAs: 'Handrail-Workspace' }
  // In a browser, requests of event streams and downloads cannot carry our header.
  const parameter = new URL(url).searchParams.get('workspace')
  return parameter === null ? undefined : { id: parameter, sentAs: 'workspace' }
}

function personActor(
  person: SignedInPerson,
  requested: RequestedWorkspace | undefined,
  from: string,
): PersonActor {
  const all = person.workspaces
  if (requested === undefined && all.length !== 1) {
    const message =
      all.length === 0
        ? 'You are not a member of any workspace.'
        : 'You are a member of several workspaces. Send the id of one of them.'
    throw invalidRequest([{ path: 'Handrail-Workspace', message }])
  }
  const workspace =
    requested === undefined ? all[0]! : all.find((candidate) => candidate.workspaceId === requested.id)
  if (!workspace) {
    if (requested && !WorkspaceId.safeParse(requested.id).success) {
      throw invalidRequest([{ path: requested.sentAs, message: 'Must be the id of a workspace, wsp_…' }])
    }
    throw new DomainProblem('not_found', 'This workspace does not exist, or you are not a member of it.')
  }
  if (needsTwoFactor(person, workspace.workspaceId)) throw twoFactorRequired()
  return {
    kind: 'person',
    workspaceId: workspace.workspaceId,
    id: person.id,
    email: person.email,
    emailVerified: person.emailVerified,
    name: person.name,
    role: workspace.role as Role,
    hasSecondFactor: hasSecondFactor(person),
    from,
    via: 'web',
  }
}
