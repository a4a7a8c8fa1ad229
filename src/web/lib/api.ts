import { createMemberClient, type MemberClient } from '../../client/member.ts'
import { pause } from '../../client/retry.ts'
import { basePath } from './base-path.ts'

/**
 * Fires "ended" when a request fails because the session is over, "two-factor-required" when the
 * workspace requires a second factor that the session does not have.
 */
export const sessionEvents = new EventTarget()

// Here a 401 means a wrong password or an expired code, not that the session is over.
const signInRoutes =
  /\/api\/(auth\/(sign-in|two-factor\/verify)|v1\/(invitations\/accept|single-sign-on\/confirm)$)/

// If the rate limit requires longer waits in total, the 429 is returned to the caller.
const maxWaitSeconds = 30

/** Retries rate-limited requests (RATE_LIMIT), which is safe because a 429 had no effect. */
async function fetchWhenAllowed(url: string, init: RequestInit): Promise<Response> {
  let waited = 0
  for (;;) {
    const response = await fetch(url, init)
    // Throttled sign-in attempts have no `ratelimit` header, and the person must see the error.
    const seconds = response.headers.has('ratelimit') ? Number(response.headers.get('retry-after')) : 0
    if (response.status !== 429 || !(seconds > 0) || waited + seconds > maxWaitSeconds) return response
    waited += seconds
    await pause(seconds, init.signal ?? undefined)
  }
}

export async function fetchInSession(url: string, init: RequestInit): Promise<Response> {
  const response = await fetchWhenAllowed(url, init)
  if (response.status === 401 && !signInRoutes.test(url)) void announceEnd(response.clone())
  if (response.status === 403 && (await codeOf(response)) === 'two_factor_required')
    sessionEvents.dispatchEvent(new Event('two-factor-required'))
  return response
}

/**
 * After the caller has read the response: what it does then, such as opening the next task, would
 * replace the navigation to the sign-in page.
 */
async function announceEnd(response: Response): Promise<void> {
  await response.text().catch(() => undefined)
  setTimeout(() => sessionEvents.dispatchEvent(new Event('ended')))
}

async function codeOf(response: Response): Promise<unknown> {
  const body: { code?: unknown } = await response
    .clone()
    .json()
    .catch(() => ({}))
  return body.code
}

/** For requests outside a workspace: the current person, sign-in, setup. */
export const api = createMemberClient({ baseUrl: basePath, fetch: fetchInSession })

const clients = new Map<string, MemberClient>()

export function apiOf(workspaceId: string): MemberClient {
  const cached = clients.get(workspaceId)
  if (cached) return cached
  const client = createMemberClient({ baseUrl: basePath, workspaceId, fetch: fetchInSession })
  clients.set(workspaceId, client)
  return client
}
