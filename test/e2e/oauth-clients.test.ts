import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { createServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { newApiKey } from '../../src/server/lib/credential-format.ts'
import { freePort } from '../support/free-port.ts'
import { startNode } from '../support/node.ts'
import { type Node, personAt } from '../support/nodes.ts'
import { authorizationQuery, redirectUri, statusWith } from '../support/oauth.ts'
import { connectSdkClient } from '../support/oauth-client.ts'
import { moveClock } from '../support/rows.ts'
import { startSeparateMcp } from '../support/separate-mcp.ts'
import {
  startService,
  type TestService,
  type TestWorkspace,
  taskPayload,
  testPassword,
  testSecrets,
} from '../support/service.ts'
import { cacheWaitOptions } from '../support/wait-options.ts'

const eras = [
  ['2025-11-25', undefined],
  ['2026-07-28', { mode: 'auto' as const }],
] as const

describe('the official MCP client connects without a key', () => {
  let service: TestService
  let acme: TestWorkspace
  let documents: Awaited<ReturnType<typeof startDocumentServer>>
  let node: Node
  beforeAll(async () => {
    documents = await startDocumentServer()
    service = await startService()
    acme = await service.workspace('Harbour Goods')
    await acme.owner.patch('/connected-apps', { allowed: true, password: testPassword })
    // A process of its own, because only the environment can add a certificate authority.
    const environment = {
      DATABASE_URL: service.databaseUrl,
      ...testSecrets,
      NODE_EXTRA_CA_CERTS: documents.certificate,
      CALLBACK_ALLOW_CIDRS: '127.0.0.1/32',
    }
    node = await startNode(environment)
  })
  afterAll(async () => {
    await node.kill()
    await service.stop()
    documents.stop()
  })

  /** The person: reads what the consent page shows, and allows access. */
  const allowAs = (url: string, expected: object) => async (authorizationUrl: URL) => {
    expect(authorizationUrl.href).toMatch(`${url}/authorize?`)
    const person = personAt(url, acme, acme.owner)
    const query = authorizationUrl.search.slice(1)
    const preview = await person.post('/authorizations/preview', { query })
    expect(preview.body).toMatchObject({
      kind: 'request',
      scopes: ['tasks', 'tasks:read', 'analysis:read'],
      workspaces: [{ workspaceId: acme.workspaceId, name: 'Harbour Goods', role: 'owner' }],
      ...expected,
    })
    const decided = await person.post('/authorizations', { query, workspaceId: acme.workspaceId })
    return new URL(decided.body.redirectTo)
  }

  for (const [version, versionNegotiation] of eras) {
    test(`protocol ${version}: by dynamic registration, from 401 to a tool call and a refresh`, async () => {
      const decide = allowAs(service.url, {
        client: { name: 'SDK client', address: '127.0.0.1:33418', isVerified: false, isLocal: true },
      })
      const { client, provider, requests } = await connectSdkClient(service.url, decide, {
        ...(versionNegotiation && { versionNegotiation }),
      })
      expect(requests).toContain('POST /api/auth/oauth2/register')
      await useTools(client)
      const before = provider.stored!
      await moveClock(service.databaseUrl, '61 minutes')
      await vi.waitFor(async () => {
        expect((await callTool(client)).isError).toBeUndefined()
        expect(provider.stored!.access_token).not.toBe(before.access_token)
      }, cacheWaitOptions)
      expect(provider.stored!.refresh_token).not.toBe(before.refresh_token)
      await client.close()
    })

    test(`protocol ${version}: by client id metadata document, without registration`, async () => {
      const decide = allowAs(node.url, {
        client: { name: 'Documented client', address: '127.0.0.1:33418', isVerified: false, isLocal: true },
      })
      const { client, requests } = await connectSdkClient(node.url, decide, {
        clientMetadataUrl: `${documents.origin}/client.json`,
        ...(versionNegotiation && { versionNegotiation }),
      })
      expect(requests.filter((request) => request.endsWith('/register'))).toEqual([])
      await useTools(client)
      await client.close()
    })
  }

  test('a document verifies the address of an app, unless a program on a computer receives the code', async () => {
    const preview = async (path: string, uri: string) => {
      const query = authorizationQuery(documents.origin + path, { redirect_uri: uri })
      return await personAt(node.url, acme, acme.owner).post('/authorizations/preview', { query })
    }
    const { host } = new URL(documents.origin)
    const returnsTo = new URL(redirectUri).host
    const byWeb = { name: 'Documented client', address: host, isVerified: true, isLocal: false, returnsTo }
    expect((await preview('/client.json', redirectUri)).body.client).toEqual(byWeb)
    const address = '127.0.0.1:7000'
    const byProgram = { ...byWeb, address, isVerified: false, isLocal: true, returnsTo: address }
    expect((await preview('/client.json', 'http://127.0.0.1:7000/callback')).body.client).toEqual(byProgram)
    expect((await preview('/client.json', 'https://evil.example/callback')).status).toBe(400)
    for (const path of [
      ...['/another-id.json', '/with-secret.json', '/script.json'],
      ...['/large.json', '/redirect.json', '/missing.json'],
    ]) {
      const { status, body } = await preview(path, redirectUri)
      expect([path, status]).toEqual([path, 400])
      expect(body.detail).toMatch(/^The description of this app/)
    }
    const { detail } = (await preview('/with-secret.json', redirectUri)).body
    expect(detail).toContain('a token_endpoint_auth_method that is not supported here')
  })

  test('a client with a key never starts OAuth at /mcp, whatever it probes', async () => {
    const unknownKey = newApiKey()
    const requests: string[] = []
    const transport = new StreamableHTTPClientTransport(new URL(`${service.url}/mcp`), {
      authProvider: { token: async () => unknownKey },
      fetch: async (url, init) => {
        const response = await fetch(url, init)
        requests.push(`${new URL(url).pathname} ${response.status}`)
        expect(response.headers.get('www-authenticate') ?? '').not.toContain('resource_metadata')
        return response
      },
    })
    await expect(new Client({ name: 'test', version: '1' }).connect(transport)).rejects.toThrow()
    expect(new Set(requests)).toEqual(new Set(['/mcp 401']))
    // What clients with a key probe after a 401, in the order of the specification and of older
    // clients.
    for (const path of [
      '/.well-known/oauth-protected-resource/mcp',
      '/.well-known/oauth-protected-resource',
      '/.well-known/oauth-authorization-server/mcp',
      '/.well-known/oauth-authorization-server',
      '/.well-known/openid-configuration/mcp',
      '/.well-known/openid-configuration',
      '/mcp/.well-known/openid-configuration',
      '/authorize',
    ]) {
      const response = await fetch(service.url + path)
      const isDocument = response.headers.get('content-type')?.includes('json') && response.ok
      expect([path, isDocument]).toEqual([path, false])
    }
    expect((await fetch(`${service.url}/register`, { method: 'POST' })).status).toBe(404)
  })

  const callTool = (client: Client) => client.callTool({ name: 'list_tasks', arguments: {} })

  async function useTools(client: Client): Promise<void> {
    const created = await client.callTool({ name: 'send_to_human', arguments: taskPayload() })
    const { taskId } = created.structuredContent as { taskId: string }
    await acme.owner.post(`/tasks/${taskId}/mark-done`)
    const read = await client.callTool({ name: 'get_task', arguments: { taskId, waitSeconds: 50 } })
    expect(read.structuredContent).toMatchObject({ taskId, status: 'handled' })
  }
})

test('a separate MCP server refers clients to the backend, accepts its tokens and notices when one is revoked', async () => {
  const port = await freePort()
  const mcpUrl = `http://127.0.0.1:${port}`
  const service = await startService({ SERVICE_MCP_PUBLIC_URL: mcpUrl })
  const acme = await service.workspace()
  await acme.owner.patch('/connected-apps', { allowed: true, password: testPassword })
  const environment = {
    ...testSecrets,
    BACKEND_URL: service.url,
    SERVICE_MCP_PUBLIC_URL: mcpUrl,
    DATABASE_URL: service.databaseUrl,
  }
  const separate = await startSeparateMcp({ ...environment, PORT: String(port) })
  const { client, provider } = await connectSdkClient(mcpUrl, async (authorizationUrl) => {
    expect(authorizationUrl.origin).toBe(service.url)
    expect(authorizationUrl.searchParams.get('resource')).toBe(`${mcpUrl}/mcp/connect`)
    const query = authorizationUrl.search.slice(1)
    const decided = await acme.owner.post('/authorizations', { query, workspaceId: acme.workspaceId })
    return new URL(decided.body.redirectTo)
  })
  const created = await client.callTool({ name: 'send_to_human', arguments: taskPayload() })
  expect(created.isError).toBeUndefined()
  const { apps } = (await acme.owner.get('/connected-apps')).body
  await acme.owner.delete(`/connected-apps/${apps[0].grantId}`)
  const token = provider.stored!.access_token
  await vi.waitFor(async () => expect(await statusWith(mcpUrl, token)).toBe(401), cacheWaitOptions)
  await client.close()
  await separate.stop()
  await service.stop()
})

/** A website with the metadata document of a client, with a certificate of its own. */
async function startDocumentServer() {
  const folder = mkdtempSync(join(tmpdir(), 'handrail-certificate-'))
  const [key, certificate] = [join(folder, 'key.pem'), join(folder, 'certificate.pem')]
  const subject = ['-subj', '/CN=127.0.0.1', '-addext', 'subjectAltName=IP:127.0.0.1']
  // Finding the primes of an RSA key takes half a second.
  const newKey = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256']
  const files = ['-keyout', key, '-out', certificate]
  execFileSync(
    process.env.OPENSSL_PATH ?? 'openssl',
    ['req', '-x509', ...newKey, '-nodes', '-days', '2', ...files, ...subject],
    {
      stdio: 'ignore',
    },
  )
  const redirectUris = ['http://127.0.0.1/callback', redirectUri]
  const valid = {
    client_name: 'Documented client',
    redirect_uris: redirectUris,
    token_endpoint_auth_method: 'none',
  }
  const server = createServer(
    { key: readFileSync(key), cert: readFileSync(certificate) },
    (request, response) => {
      const client_id = `${origin}${request.url}`
      const documents: Record<string, object> = {
        '/client.json': { ...valid, client_id },
        '/another-id.json': { ...valid, client_id: `${origin}/client.json` },
        '/with-secret.json': { ...valid, client_id, token_endpoint_auth_method: 'client_secret_post' },
        '/script.json': { ...valid, client_id, redirect_uris: [...redirectUris, 'javascript:alert(1)'] },
        '/large.json': { ...valid, client_id, padding: 'x'.repeat(5 * 1024) },
      }
      if (request.url === '/redirect.json') {
        response.statusCode = 302
        response.setHeader('location', '/client.json')
      }
      response
        .setHeader('content-type', 'application/json')
        .end(JSON.stringify(documents[request.url!] ?? {}))
    },
  )
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const origin = `https://127.0.0.1:${(server.address() as AddressInfo).port}`
  return {
    origin,
    certificate,
    stop() {
      server.close()
      rmSync(folder, { recursive: true })
    },
  }
}
