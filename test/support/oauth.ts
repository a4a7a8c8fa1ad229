import { createHash, randomBytes } from 'node:crypto'
import { expect } from 'vitest'
import type { Caller } from './http.ts'
import { type TestWorkspace, testPassword } from './service.ts'

// An OAuth client without a library, which would hide what is tested.

export const redirectUri = 'https://app.example/callback'

// biome-ignore lint/suspicious/noExplicitAny: tests read responses field by field
type OAuthResponse = { status: number; body: any; headers: Headers }

async function read(response: Response): Promise<OAuthResponse> {
  const text = await response.text()
  const isJson = response.headers.get('content-type')?.includes('json')
  return { status: response.status, body: isJson ? JSON.parse(text) : text, headers: response.headers }
}

export async function register(
  url: string,
  metadata: unknown = { client_name: 'Test app', redirect_uris: [redirectUri] },
  headers: Record<string, string> = {},
): Promise<OAuthResponse> {
  return await read(
    await fetch(`${url}/api/auth/oauth2/register`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headers },
      body: typeof metadata === 'string' ? metadata : JSON.stringify(metadata),
    }),
  )
}

/** The id of a new client. */
export async function registeredClient(url: string, redirectUris = [redirectUri]): Promise<string> {
  const { status, body } = await register(url, { client_name: 'Test app', redirect_uris: redirectUris })
  expect(status, JSON.stringify(body)).toBe(201)
  return body.client_id
}

export const codeVerifier = randomBytes(32).toString('base64url')

/** The query string of a valid authorization request. undefined removes a parameter. */
export function authorizationQuery(
  clientId: string,
  more: Record<string, string | string[] | undefined> = {},
): string {
  const parameters = {
    response_type: 'code',
    client_id: clientId,
    redirect_uri: redirectUri,
    code_challenge: createHash('sha256').update(codeVerifier).digest('base64url'),
    code_challenge_method: 'S256',
    state: 'some state',
    ...more,
  }
  const pairs = Object.entries(parameters).flatMap(([name, value]) =>
    [value].flat().flatMap((one) => (one === undefined ? [] : [[name, one]])),
  )
  return new URLSearchParams(pairs).toString()
}

/** The parameters with which the person returns to the app after they allowed access. */
export async function allow(
  person: Pick<Caller, 'post'>,
  workspaceId: string,
  query: string,
): Promise<URLSearchParams> {
  const decided = await person.post('/authorizations', { query, workspaceId })
  expect(decided.status, JSON.stringify(decided.body)).toBe(200)
  return new URL(decided.body.redirectTo).searchParams
}

export async function postForm(
  url: string,
  path: 'token' | 'revoke',
  fields: Record<string, string | undefined> | string,
  headers: Record<string, string> = {},
): Promise<OAuthResponse> {
  const pairs = Object.entries(fields).flatMap(([name, value]) =>
    value === undefined ? [] : [[name, value]],
  )
  return await read(
    await fetch(`${url}/api/auth/oauth2/${path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/x-www-form-urlencoded', ...headers },
      body: typeof fields === 'string' ? fields : new URLSearchParams(pairs).toString(),
    }),
  )
}

export const exchange = (
  url: string,
  clientId: string,
  code: string,
  more: Record<string, string | undefined> = {},
) =>
  postForm(url, 'token', {
    grant_type: 'authorization_code',
    client_id: clientId,
    code,
    code_verifier: codeVerifier,
    redirect_uri: redirectUri,
    ...more,
  })

export const refresh = (
  url: string,
  clientId: string,
  refreshToken: string,
  more: Record<string, string | undefined> = {},
) =>
  postForm(url, 'token', {
    grant_type: 'refresh_token',
    client_id: clientId,
    refresh_token: refreshToken,
    ...more,
  })

export type TestApp = { clientId: string; grantId: string; accessToken: string; refreshToken: string }

/** An app that a person, by default the owner, has connected. Allows connected apps in the workspace. */
export async function connectApp(
  url: string,
  workspace: TestWorkspace,
  { person = workspace.owner, scope }: { person?: Caller; scope?: string } = {},
): Promise<TestApp> {
  await workspace.owner.patch('/connected-apps', { allowed: true, password: testPassword })
  const clientId = await registeredClient(url)
  const query = authorizationQuery(clientId, { scope })
  const code = (await allow(person, workspace.workspaceId, query)).get('code')!
  const { status, body } = await exchange(url, clientId, code)
  expect(status, JSON.stringify(body)).toBe(200)
  const { apps } = (await person.get('/connected-apps')).body
  return {
    clientId,
    grantId: apps[0].grantId,
    accessToken: body.access_token,
    refreshToken: body.refresh_token,
  }
}

/** The status of a request with this token at /mcp/connect. */
export async function statusWith(url: string, accessToken: string): Promise<number> {
  const response = await fetch(`${url}/mcp/connect`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${accessToken}`,
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
    },
    body: JSON.stringify({
      jsonrpc: '2.0',
      id: 1,
      method: 'initialize',
      params: {
        protocolVersion: '2025-11-25',
        capabilities: {},
        clientInfo: { name: 'test', version: '1' },
      },
    }),
  })
  await response.body?.cancel()
  return response.status
}
