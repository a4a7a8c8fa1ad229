import { createHmac } from 'node:crypto'
import { z } from 'zod'
import { type Client, createClient } from '../../client/client.ts'
import { HandrailProblem, unreachable } from '../../client/problem.ts'
import type { Trace } from '../../contract/trace.ts'
import { KeyScope, keyScopes } from '../../contract/workspace.ts'

const patienceMilliseconds = 5_000

type Fetch = (url: string, init: RequestInit) => Promise<Response>

export type BackendOptions = {
  /** Where REST is, and where /internal is. In one process both are the application itself, by `fetch`. */
  apiBaseUrl: string
  backendUrl: string
  fetch: Fetch
  internalToken: string
  /** With it, keys are looked up by digest and never sent for that. */
  apiKeyPepper: string | undefined
}

const KeyOwnerAnswer = z.object({
  keyId: z.string(),
  workspaceId: z.string(),
  // A backend of the version before does not send them, and refuses by itself what a key may not do.
  scopes: z.array(KeyScope).default([...keyScopes]),
})
export type KeyOwner = z.infer<typeof KeyOwnerAnswer>

const GoodKeysAnswer = z.object({ good: z.array(z.string()) })
const WaitAnswer = z.object({ status: z.string() })
const WebhookAnswer = z.object({
  workspaceId: z.string(),
  keyId: z.string(),
  sessionId: z.string().optional(),
  secrets: z.array(z.string()),
  event: z.string().optional(),
})
export type WebhookContext = z.infer<typeof WebhookAnswer>

export type Backend = ReturnType<typeof createBackend>

/** All that the MCP door knows of the rest of the house: the REST API through `client/`, and `/internal`. */
export function createBackend(options: BackendOptions) {
  const { apiBaseUrl, backendUrl, fetch, internalToken, apiKeyPepper } = options

  /** The API as the owner of this key sees it. Tasks made in a session carry it, so that a push finds its way. */
  function clientFor(apiKey: string, from: string, trace: Trace | undefined, sessionId?: string): Client {
    const trusted = {
      'handrail-internal': internalToken,
      'handrail-client-address': from,
      ...(sessionId && { 'handrail-session': sessionId }),
      ...trace,
    }
    return createClient({
      baseUrl: apiBaseUrl,
      apiKey,
      fetch: (url, init) =>
        fetch(url, { ...init, headers: { ...(init.headers as Record<string, string>), ...trusted } }),
    })
  }

  /** undefined: not a key, or not any more. Throws a problem when the backend cannot be asked. */
  async function findKeyOwner(apiKey: string): Promise<KeyOwner | undefined> {
    if (apiKeyPepper !== undefined) {
      const digest = digestOf(apiKey, apiKeyPepper)
      return await internal(`/internal/keys/${digest}`, KeyOwnerAnswer)
    }
    try {
      // As our own request: it is not the caller's, and must not count as one.
      const own = { 'handrail-internal': internalToken }
      const client = createClient({
        baseUrl: apiBaseUrl,
        apiKey,
        fetch: (url, init) =>
          fetch(url, { ...init, headers: { ...(init.headers as Record<string, string>), ...own } }),
      })
      const me = await client.me(AbortSignal.timeout(patienceMilliseconds))
      if (me.kind !== 'key') return undefined
      const { keyId, scopes } = me.key
      return { keyId, workspaceId: me.workspace.workspaceId, scopes }
    } catch (error) {
      if (!(error instanceof HandrailProblem)) throw unreachable(error)
      if (error.status === 401) return undefined
      throw error
    }
  }

  /**
   * Whose task this is, with which secrets its webhooks are signed, and the stored text of the event if the task has one of
   * this id to push. undefined: there is no such task.
   */
  function findWebhookContext(taskId: string, eventId: string): Promise<WebhookContext | undefined> {
    const query = new URLSearchParams({ eventId })
    return internal(`/internal/tasks/${encodeURIComponent(taskId)}/webhook?${query}`, WebhookAnswer)
  }

  /** Which of these keys are good no longer: one question for many. */
  async function findLostKeys(apiKeys: string[]): Promise<string[]> {
    if (apiKeyPepper === undefined) {
      const owners = await Promise.all(apiKeys.map(findKeyOwner))
      return apiKeys.filter((_, index) => !owners[index])
    }
    const digests = apiKeys.map((apiKey) => digestOf(apiKey, apiKeyPepper))
    const answer = await internal('/internal/keys', GoodKeysAnswer, { body: { digests } })
    const good = new Set(answer!.good)
    return apiKeys.filter((_, index) => !good.has(digests[index]!))
  }

  /** Holds until the task leaves `open` or the time is up. undefined: there is no such task. */
  async function awaitTask(
    workspaceId: string,
    taskId: string,
    waitSeconds: number,
    signal: AbortSignal,
  ): Promise<string | undefined> {
    const query = new URLSearchParams({ workspaceId, waitSeconds: String(waitSeconds) })
    const path = `/internal/tasks/${encodeURIComponent(taskId)}/wait?${query}`
    return (await internal(path, WaitAnswer, { signal }))?.status
  }

  async function isWell(): Promise<boolean> {
    try {
      const response = await fetch(`${backendUrl}/health`, { signal: AbortSignal.timeout(2_000) })
      return response.ok
    } catch {
      return false
    }
  }

  async function internal<T>(
    path: string,
    answer: z.ZodType<T>,
    { body, signal }: { body?: unknown; signal?: AbortSignal } = {},
  ): Promise<T | undefined> {
    try {
      const response = await fetch(`${backendUrl}${path}`, {
        headers: { 'handrail-internal': internalToken, 'content-type': 'application/json' },
        signal: signal ?? AbortSignal.timeout(patienceMilliseconds),
        ...(body !== undefined && { method: 'POST', body: JSON.stringify(body) }),
      })
      if (response.status === 404) return undefined
      if (response.ok) return answer.parse(await response.json())
      throw new Error(
        `The backend answers ${response.status} at /internal. Is SERVICE_MCP_INTERNAL_TOKEN the same?`,
      )
    } catch (error) {
      throw unreachable(error)
    }
  }

  return { clientFor, findKeyOwner, findLostKeys, findWebhookContext, awaitTask, isWell }
}

function digestOf(apiKey: string, pepper: string): string {
  return createHmac('sha256', pepper).update(apiKey).digest('hex')
}
