import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { freePort } from '../support/free-port.ts'
import {
  startService,
  type TestService,
  type TestWorkspace,
  taskPayload,
  testPassword,
} from '../support/service.ts'

describe('PUBLIC_URL may have a path, below which everything is served', () => {
  let service: TestService
  let acme: TestWorkspace
  let origin: string
  beforeAll(async () => {
    const port = await freePort()
    origin = `http://127.0.0.1:${port}`
    service = await startService({ PORT: String(port), PUBLIC_URL: `${origin}/desk/handrail/` })
    acme = await service.workspace()
  })
  afterAll(() => service.stop())

  const status = async (path: string, init?: RequestInit) => {
    const response = await fetch(`${origin}${path}`, init)
    await response.body?.cancel()
    return response.status
  }

  test('the API, sign-in and the cookie’s path', async () => {
    expect(service.url).toBe(`${origin}/desk/handrail`)
    const { taskId } = (await acme.agent.post('/tasks', taskPayload())).body
    expect((await acme.agent.get(`/tasks/${taskId}`)).body.url).toBe(
      `${origin}/desk/handrail/w/${acme.workspaceId}/inbox/${taskId}`,
    )
    expect((await acme.owner.post(`/tasks/${taskId}/mark-done`)).status).toBe(200)
    const response = await fetch(`${service.url}/api/auth/sign-in/email`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', origin },
      body: JSON.stringify({ email: acme.ownerEmail, password: testPassword }),
    })
    expect(response.headers.getSetCookie()[0]).toMatch(/; Path=\/desk\/handrail(;|$)/)
    expect(response.headers.getSetCookie()[0]).toContain(`${await documentedCookie(service)}=`)
    const { link } = (await acme.owner.post('/invitations', { email: 'new@example.com' })).body
    expect(link).toMatch(new RegExp(`^${service.url}/invitation#`))
  })

  test('health, pages and docs, with URLs that start with the path', async () => {
    expect(await status('/desk/handrail/health')).toBe(200)
    for (const path of ['/desk/handrail', '/desk/handrail/', `/desk/handrail/w/${acme.workspaceId}/inbox`]) {
      const response = await fetch(`${origin}${path}`)
      expect(response.status, path).toBe(200)
      expect(response.headers.get('content-type')).toBe('text/html; charset=utf-8')
      expect(await response.text()).not.toContain('__BASE_PATH__')
    }
    const docs = await (await fetch(`${service.url}/docs`)).text()
    for (const [, address] of docs.matchAll(/(?:href|src)="(\/[^"]*)"/g)) {
      expect(address).toMatch(/^\/desk\/handrail\//)
      expect(await status(address!)).toBe(200)
    }
    const document = (await (await fetch(`${service.url}/api/v1/openapi.json`)).json()) as {
      servers: object[]
    }
    expect(document.servers).toEqual([{ url: `${service.url}/api/v1` }])
  })

  test('the MCP entry point', async () => {
    const post = { method: 'POST', headers: { 'content-type': 'application/json' }, body: '{}' }
    expect(await status('/desk/handrail/mcp', post)).toBe(401)
    expect(await status('/mcp', post)).toBe(404)
  })

  test('and nothing outside it', async () => {
    const outside = [
      '/',
      '/health',
      '/docs',
      '/api/v1/me',
      '/api/auth/get-session',
      '/desk',
      '/desk/handrailing',
      '/desk/handrail2/health',
      '/assets/x.js',
      '/internal/keys/x',
    ]
    for (const path of outside) expect(await status(path), path).toBe(404)
  })
})

test.each([
  ['no sibling host can set one', 'https://handrail.example', '__Host-handrail.session_token', '/'],
  ['it is for the path', 'https://handrail.example/desk', '__Secure-handrail.session_token', '/desk'],
])('behind https the cookie is sent over https only, and %s', async (_, publicUrl, name, path) => {
  const service = await startService({ PUBLIC_URL: publicUrl })
  try {
    const { people } = service.app.service
    await people.create({
      email: 'olga@example.com',
      name: 'Olga',
      password: testPassword,
      emailVerified: true,
    })
    const response = await service.app.fetch(
      new Request(`${publicUrl}/api/auth/sign-in/email`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', origin: 'https://handrail.example' },
        body: JSON.stringify({ email: 'olga@example.com', password: testPassword }),
      }),
    )
    expect(response.status).toBe(200)
    const [cookie] = response.headers.getSetCookie()
    expect(cookie).toMatch(new RegExp(`^${name}=.*; Path=${path}; .*Secure`))
    expect(await documentedCookie(service)).toBe(name)
  } finally {
    await service.stop()
  }
})

/** The name of the session cookie in the OpenAPI document. */
async function documentedCookie({ app, url }: TestService): Promise<string> {
  const response = await app.fetch(new Request(`${url}/api/v1/openapi.json`))
  const { components } = (await response.json()) as {
    components: { securitySchemes: { cookie: { name: string } } }
  }
  return components.securitySchemes.cookie.name
}
