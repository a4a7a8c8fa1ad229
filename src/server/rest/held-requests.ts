import { limits } from '../../contract/limits.ts'
import type { Role } from '../../contract/workspace.ts'
import { type Actor, isAtLeast } from '../domain/actor.ts'
import { rateLimited } from '../domain/problems.ts'
import type { Service } from '../domain/service.ts'
import type { KeyLookup } from '../domain/workspaces/find-key-owner.ts'
import { needsTwoFactor } from '../domain/workspaces/two-factor-requirement.ts'
import { createCredentialWatch } from '../lib/credential-watch.ts'
import { joinSignals } from '../lib/joined-signal.ts'
import { createSlots } from '../lib/slots.ts'
import { actorOf, authenticate, readKey } from './authenticate.ts'
import type { HeldRequest, Route } from './route.ts'

const noSlotRetrySeconds = 15

type Credential = { key: string } | { cookie: string; workspaceId: string; role: Role }

/**
 * Returns a function that holds a request. It ends the held requests of keys that were revoked or
 * have expired, of sessions that have ended, and of members who were removed, were demoted, or now
 * need two-factor.
 */
export function createHeldRequests({
  service,
  keys,
  origins,
}: {
  service: Service
  keys: KeyLookup
  origins: string[]
}) {
  const credentialWatch = createCredentialWatch(findInvalid)
  const takeStreamSlot = createSlots(limits.streamsPerPerson)

  function hold(route: Route, request: Request, actor: Actor): HeldRequest {
    const releaseSlot = isEventStream(route) ? takeSlotOf(actor) : undefined
    const joined = joinSignals(request.signal)
    const stopWatching = credentialWatch.watch(credentialOf(route, request, actor), joined.abort)
    return {
      signal: joined.signal,
      async reauthenticate() {
        actorOf(await authenticate(service, keys.findKeyOwner, origins, request), request, actor.from)
      },
      release() {
        stopWatching()
        joined.abort()
        joined.release()
        releaseSlot?.()
      },
    }
  }

  function takeSlotOf({ id }: Actor): () => void {
    const releaseSlot = takeStreamSlot(id)
    if (releaseSlot) return releaseSlot
    throw rateLimited(
      `You have too many open event streams: this process allows ${limits.streamsPerPerson}. Close one, or poll instead.`,
      noSlotRetrySeconds,
    )
  }

  /** `watched`: results of `credentialOf`. The watch compares credentials, so they are text. */
  async function findInvalid(watched: string[]): Promise<string[]> {
    const parsed = watched.map((text) => ({ text, credential: JSON.parse(text) as Credential }))
    const watchedKeys = parsed.flatMap(({ credential }) => ('key' in credential ? [credential.key] : []))
    const invalidKeys = new Set(watchedKeys.length > 0 ? await keys.findInvalidKeys(watchedKeys) : [])
    const isInvalid = async (credential: Credential) =>
      'key' in credential ? invalidKeys.has(credential.key) : !(await hasAccess(credential))
    const areInvalid = await Promise.all(parsed.map(({ credential }) => isInvalid(credential)))
    return watched.filter((_, index) => areInvalid[index])
  }

  async function hasAccess({
    cookie,
    workspaceId,
    role,
  }: Exclude<Credential, { key: string }>): Promise<boolean> {
    // A database outage is no reason to end a stream.
    const person = await service.people
      .findSignedInPerson(new Headers({ cookie }))
      .catch(() => 'unknown' as const)
    if (person === 'unknown') return true
    const membership = person?.workspaces.find((candidate) => candidate.workspaceId === workspaceId)
    if (!person || !membership || needsTwoFactor(person, workspaceId)) return false
    return isAtLeast(membership.role as Role, role)
  }

  return hold
}

function isEventStream(route: Route): boolean {
  return route.responses[200] === 'event-stream'
}

function credentialOf(route: Route, { headers }: Request, actor: Actor): string {
  const credential: Credential =
    actor.kind === 'key'
      ? { key: readKey(headers)! }
      : { cookie: headers.get('cookie')!, workspaceId: actor.workspaceId, role: route.role ?? 'member' }
  return JSON.stringify(credential)
}
