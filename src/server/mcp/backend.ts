import { z } from 'zod'
import { HandrailProblem, unreachableProblem } from '../../client/problem.ts'
import { type TaskCalls, taskCalls } from '../../client/tasks.ts'
import { createTransport } from '../../client/transport.ts'
import { KeyScope, keyScopes } from '../../contract/api-key.ts'
import type { Trace } from '../../contract/trace.ts'
import { digestCredential } from '../lib/credential-format.ts'
import { forEachConcurrently } from '../lib/for-each-concurrently.ts'

const timeoutMilliseconds = 5_000
const healthTimeoutMilliseconds = 2_000
const maxConcurrentChecks = 20

/**
 * All that the MCP entry point knows of the rest of the service: the REST API through `client/`,
 * and `/internal`.
 */
export type Backend = {
  /**
   * Where the REST API is, and where /internal is. In one process both are the application itself,
   * reached by `fetch`.
   */
  apiBaseUrl: string
  backendUrl: string
  fetch(url: string, init: RequestInit): Promise<Response>
  internalToken: string
  /** If set, the owners of keys are looked up by digest, so that the keys themselves are not sent. */
  apiKeyPepper: string | undefined
}

const KeyOwnerResponse = z.object({
  keyId: z.string(),
  workspaceId: z.string(),
  // A backend of an older version does not send scopes. It checks the scopes of a key itself in any
  // case.
  scopes: z.array(KeyScope).default([...keyScopes]),
  /** The networks that the key is limited to. null: all. */
  cidrs: z.array(z.string()).nullable().default(null),
})
export type KeyOwner = z.infer<typeof KeyOwnerResponse>

const IssuerResponse = z.object({ issuer: z.string() })
const ValidKeysResponse = z.object({ good: z.array(z.string()) })
const WaitResponse = z.object({ status: z.string(), question: z.string().optional() })
type WaitResponse = z.infer<typeof WaitResponse>
const WebhookContext = z.object({
  workspaceId: z.string(),
  keyId: z.string(),
  sessionId: z.string().optional(),
  secrets: z.array(z.string()),
  event: z.string().optional(),
})
export type WebhookContext = z.infer<typeof WebhookContext>

/**
 * The API as the owner of this key sees it. A task created in a session carries the session id, so
 * that its events are pushed to that session.
 */
export function clientFor(
  backend: Backend,
  { apiKey, from, trace }: { apiKey: string; from: string; trace: Trace | undefined },
  sessionId?: string,
): TaskCalls {
  return createInternalClient(backend, apiKey, {
    'handrail-client-address': from,
    ...(sessionId && { 'handrail-session': sessionId }),
    ...trace,
  })
}

/**
 * undefined if the key is unknown, revoked or expired. Throws a problem if the backend cannot be
 * reached.
 */
export async function fetchKeyOwner(backend: Backend, apiKey: string): Promise<KeyOwner | undefined> {
  if (backend.apiKeyPepper !== undefined) {
    const digest = digestCredential(apiKey, backend.apiKeyPepper)
    return await callInternal(backend, `/internal/keys/${digest}`, KeyOwnerResponse)
  }
  try {
    const me = await createInternalClient(backend, apiKey).me(AbortSignal.timeout(timeoutMilliseconds))
    if (me.kind !== 'key') return undefined
    const { keyId, scopes, cidrs = null } = me.key
    return { keyId, workspaceId: me.workspace.workspaceId, scopes, cidrs }
  } catch (error) {
    if (!(error instanceof HandrailProblem)) throw unreachableProblem(error)
    if (error.status === 401) return undefined
    throw error
  }
}

/**
 * Who issues the tokens of connected apps. undefined if the backend has an older version, without
 * connected apps.
 */
export async function fetchIssuer(backend: Backend): Promise<string | undefined> {
  return (await callInternal(backend, '/internal/oauth', IssuerResponse))?.issuer
}

/**
 * Which of these keys are no longer valid. This takes one request with the pepper, otherwise one
 * request per key.
 */
export async function fetchInvalidKeys(backend: Backend, apiKeys: string[]): Promise<string[]> {
  const { apiKeyPepper } = backend
  if (apiKeyPepper === undefined) {
    const invalid: string[] = []
    await forEachConcurrently(apiKeys, maxConcurrentChecks, async (apiKey) => {
      if (!(await fetchKeyOwner(backend, apiKey))) invalid.push(apiKey)
    })
    return invalid
  }
  const digests = apiKeys.map((apiKey) => digestCredential(apiKey, apiKeyPepper))
  const response = await callInternal(backend, '/internal/keys', ValidKeysResponse, { body: { digests } })
  const valid = new Set(response!.good)
  return apiKeys.filter((_, index) => !valid.has(digests[index]!))
}

/**
 * The owner of a task, the secrets that its webhooks are signed with and, if the task has an event
 * with this id to push, the stored text of the event. undefined if there is no such task.
 */
export function fetchWebhookContext(
  backend: Backend,
  taskId: string,
  eventId: string,
): Promise<WebhookContext | undefined> {
  const query = new URLSearchParams({ eventId })
  return callInternal(
    backend,
    `/internal/tasks/${encodeURIComponent(taskId)}/webhook?${query}`,
    WebhookContext,
  )
}

/**
 * Waits until the task leaves `open`, has a question without a reply that is newer than
 * `afterQuestion`, or the time is up. Returns the status of the task and the id of the newest such
 * question. undefined if there is no such task.
 */
export async function waitForTaskChange(
  backend: Backend,
  workspaceId: string,
  taskId: string,
  wait: { waitSeconds: number; afterQuestion: string | undefined },
  signal: AbortSignal,
): Promise<WaitResponse | undefined> {
  const query = new URLSearchParams({ workspaceId, waitSeconds: String(wait.waitSeconds) })
  if (wait.afterQuestion !== undefined) query.set('afterQuestion', wait.afterQuestion)
  const path = `/internal/tasks/${encodeURIComponent(taskId)}/wait?${query}`
  return await callInternal(backend, path, WaitResponse, { signal })
}

export async function isBackendHealthy({ fetch, backendUrl }: Backend): Promise<boolean> {
  try {
    const signal = AbortSignal.timeout(healthTimeoutMilliseconds)
    const response = await fetch(`${backendUrl}/health`, { signal })
    return response.ok
  } catch {
    return false
  }
}

/**
 * Marks requests as our own, so that REST does not count them again: the MCP entry point has
 * counted its caller's request.
 */
function createInternalClient(
  { apiBaseUrl, fetch, internalToken }: Backend,
  apiKey: string,
  headers: Record<string, string> = {},
): TaskCalls {
  const added = { 'handrail-internal': internalToken, ...headers }
  const transport = createTransport({
    baseUrl: apiBaseUrl,
    apiKey,
    fetch: (url, init) =>
      fetch(url, { ...init, headers: { ...(init.headers as Record<string, string>), ...added } }),
  })
  return taskCalls(transport)
}

async function callInternal<T>(
  { backendUrl, fetch, internalToken }: Backend,
  path: string,
  schema: z.ZodType<T>,
  { body, signal }: { body?: unknown; signal?: AbortSignal } = {},
): Promise<T | undefined> {
  try {
    const response = await fetch(`${backendUrl}${path}`, {
      headers: { 'handrail-internal': internalToken, 'content-type': 'application/json' },
      signal: signal ?? AbortSignal.timeout(timeoutMilliseconds),
      ...(body !== undefined && { method: 'POST', body: JSON.stringify(body) }),
    })
    if (response.status === 404) return undefined
    if (response.ok) return schema.parse(await response.json())
    const hint =
      response.status === 401 ? ' Check that SERVICE_MCP_INTERNAL_TOKEN is the same on both sides.' : ''
    throw new Error(`The backend responded with ${response.status} at ${path}.${hint}`)
  } catch (error) {
    throw unreachableProblem(error)
  }
}
