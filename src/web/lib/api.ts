import { createMemberClient, type MemberClient } from '../../client/member.ts'
import { basePath } from './base-path.ts'

/** Fires "ended" when a call finds that nobody is signed in any more. */
export const session = new EventTarget()

// Here 401 means a wrong password, or a code that came too late, not that a session is over.
const atTheDoor = /\/api\/(auth\/(sign-in|two-factor\/verify)|v1\/invitations\/accept$)/

// Seconds that a call waits in all before the person is told.
const longestWait = 30

/** The service counts requests per person (RATE_LIMIT). What it refused did nothing, so it is sent again when there is room. */
async function fetchWhenAllowed(url: string, init: RequestInit): Promise<Response> {
  let waited = 0
  for (;;) {
    const response = await fetch(url, init)
    // Refused attempts to sign in have no such header, and are for the person to see.
    const seconds = response.headers.has('ratelimit') ? Number(response.headers.get('retry-after')) : 0
    if (response.status !== 429 || !(seconds > 0) || waited + seconds > longestWait) return response
    waited += seconds
    await new Promise((resolve) => setTimeout(resolve, seconds * 1_000))
  }
}

export async function fetchInSession(url: string, init: RequestInit): Promise<Response> {
  const response = await fetchWhenAllowed(url, init)
  if (response.status === 401 && !atTheDoor.test(url)) session.dispatchEvent(new Event('ended'))
  return response
}

/** For what concerns no workspace: who am I, sign in, set up. */
export const api = createMemberClient({ baseUrl: basePath, fetch: fetchInSession })

const byWorkspace = new Map<string, MemberClient>()

export function apiOf(workspaceId: string): MemberClient {
  const known = byWorkspace.get(workspaceId)
  if (known) return known
  const client = createMemberClient({ baseUrl: basePath, workspaceId, fetch: fetchInSession })
  byWorkspace.set(workspaceId, client)
  return client
}
