import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { createAccountClient } from '../../src/client/account.ts'
import { createMemberClient } from '../../src/client/member.ts'
import { openApiDocument } from '../../src/server/rest/openapi.ts'
import { startService, type TestService } from '../support/service.ts'

// biome-ignore lint/suspicious/noExplicitAny: a JSON document that is walked, not used
type Json = any

// A spy that calls the original.
vi.mock(import('../../src/server/rest/openapi.ts'), async (load) => {
  const original = await load()
  return { ...original, openApiDocument: vi.fn(original.openApiDocument) }
})

describe('the OpenAPI document matches the router', () => {
  let service: TestService
  let document: Json
  let operations: { method: string; path: string; operation: Json }[]
  beforeAll(async () => {
    service = await startService()
    document = await (await fetch(`${service.url}/api/v1/openapi.json`)).json()
    operations = Object.entries<Json>(document.paths).flatMap(([path, methods]) =>
      Object.entries<Json>(methods).map(([method, operation]) => ({ method, path, operation })),
    )
  })
  afterAll(() => service.stop())

  test('every route is in the document, and nothing else is', () => {
    const routed = service.app.app.routes
      .filter(({ path, method }) => path.startsWith('/api/v1/') && method !== 'ALL')
      .map(({ path, method }) => `${method} ${path.slice('/api/v1'.length).replace(/:(\w+)/g, '{$1}')}`)
      .filter((route) => route !== 'GET /openapi.json')
    expect(routed.length).toBeGreaterThan(30)
    expect(operations.map(({ method, path }) => `${method.toUpperCase()} ${path}`).sort()).toEqual(
      routed.sort(),
    )
  })

  test.each(['/api/v1/openapi.json', '/docs'])('%s is built once and revalidated with 304', async (path) => {
    const get = (headers: Record<string, string> = {}) => fetch(`${service.url}${path}`, { headers })
    const first = await get({ 'accept-encoding': 'identity' })
    const text = await first.text()
    const tag = first.headers.get('etag')!
    expect(tag).toMatch(/^"[\w-]{22}"$/)
    const before = vi.mocked(openApiDocument).mock.calls.length
    for (const encoding of ['gzip', 'br', 'identity']) {
      const response = await get({ 'accept-encoding': encoding })
      expect(response.headers.get('content-encoding')).toBe(encoding === 'identity' ? null : encoding)
      expect(response.headers.get('content-type')).toBe(first.headers.get('content-type'))
      expect(await response.text()).toBe(text)
    }
    const known = await get({ 'if-none-match': `"other", W/${tag}` })
    expect({ status: known.status, body: await known.text() }).toEqual({ status: 304, body: '' })
    expect((await get({ 'if-none-match': '"other"' })).status).toBe(200)
    expect(vi.mocked(openApiDocument).mock.calls).toHaveLength(before)
  })

  test('it has the shape of OpenAPI 3.1', () => {
    expect(document).toMatchObject({
      openapi: expect.stringMatching(/^3\.1\.\d$/),
      info: { title: 'Handrail', version: expect.stringMatching(/^\d+\.\d+\.\d+/) },
      servers: [{ url: `${service.url}/api/v1` }],
    })
    for (const { method, path, operation } of operations) {
      const name = `${method} ${path}`
      expect(operation.summary, name).toMatch(/^[A-Z].*\.$/)
      expect(operation.operationId, name).toMatch(/^[a-z][A-Za-z0-9]*$/)
      const inPath = [...path.matchAll(/\{(\w+)\}/g)].map(([, part]) => part)
      const parameters = operation.parameters.map((parameter: Json) => dereference(parameter))
      const declared = parameters.filter((parameter: Json) => parameter.in === 'path')
      expect(
        declared.map((parameter: Json) => parameter.name),
        name,
      ).toEqual(inPath)
      for (const parameter of parameters) {
        expect(parameter, name).toMatchObject({ schema: expect.any(Object), required: expect.any(Boolean) })
        if (parameter.in === 'path') expect(parameter.required).toBe(true)
      }
      expect(
        Object.keys(operation.responses).some((status) => /^2\d\d$/.test(status)),
        name,
      ).toBe(true)
      for (const response of Object.values<Json>(operation.responses))
        expect(dereference(response).description, name).toMatch(/\S/)
      for (const scheme of operation.security.flatMap((one: Json) => Object.keys(one)))
        expect(document.components.securitySchemes, name).toHaveProperty(scheme)
    }
  })

  test('every reference resolves, and every component is used', () => {
    const used = new Set<string>()
    walk(document, (node, at) => {
      if (typeof node.$ref !== 'string') return
      used.add(node.$ref)
      expect(dereference(node), `${at} -> ${node.$ref}`).toBeDefined()
    })
    const { securitySchemes: _, ...components } = document.components
    const named = Object.entries<object>(components).flatMap(([kind, entries]) =>
      Object.keys(entries).map((name) => `#/components/${kind}/${name}`),
    )
    expect(named.sort()).toEqual([...used].sort())
  })

  test('every body has a name, and is an object', () => {
    let bodies = 0
    for (const { method, path, operation } of operations) {
      for (const { content } of [operation.requestBody ?? {}, ...Object.values<Json>(operation.responses)]) {
        const schema = content?.['application/json']?.schema
        if (!schema) continue
        bodies++
        expect(Object.keys(schema), `${method} ${path}`).toEqual(['$ref'])
        const { type, oneOf, anyOf } = dereference(schema)
        expect(type ?? oneOf?.[0].type ?? anyOf?.[0].type, `${method} ${path}`).toBe('object')
      }
      expect(operation.responses.default).toEqual({ $ref: '#/components/responses/Problem' })
    }
    expect(bodies).toBeGreaterThan(50)
  })

  test('every operation has the name of the client method that calls it', async () => {
    const called: Record<string, string> = {}
    for (const client of [createMemberClient(recording('*')), createAccountClient(recording('*'))])
      for (const method of Object.keys(client)) called[method] = ''
    for (const method of Object.keys(called)) {
      const options = recording(method)
      const client: Json = { ...createMemberClient(options), ...createAccountClient(options) }
      await client[method]('x', 'x', 'x')
    }
    function recording(method: string) {
      const fetch = async (url: string, { method: verb }: RequestInit) => {
        called[method] = `${verb} ${new URL(url).pathname.replace('/api/v1', '')}`
        return new Response('[]', { headers: { 'content-type': 'application/json' } })
      }
      return { baseUrl: 'http://handrail.test', fetch }
    }
    const withoutMethod = ['inboxEvents', 'exportTasks', 'exportAudit']
    for (const { method, path, operation } of operations) {
      const { operationId } = operation
      if (withoutMethod.includes(operationId)) expect(called).not.toHaveProperty(operationId)
      else
        expect(called[operationId], operationId).toBe(
          `${method.toUpperCase()} ${path.replace(/\{\w+\}/g, 'x')}`,
        )
    }
    const ids = operations.map(({ operation }) => operation.operationId)
    expect(new Set(ids).size).toBe(ids.length)
    const withoutOperation = Object.entries(called).filter(
      ([method, call]) => call !== '' && !ids.includes(method),
    )
    // unsubscribe is the link of an email. taskDetails is getTask with all its parts. The rest is
    // sign-in, which better-auth documents.
    expect(withoutOperation.filter(([, call]) => !call.includes('/api/auth/'))).toEqual([
      ['unsubscribe', 'POST /unsubscribe/x'],
      ['taskDetails', 'GET /tasks/x'],
    ])
  })

  test('fields that may be left out are not required, and types are those a caller sends', () => {
    const create = document.components.schemas.CreateTask
    expect(create.required.sort()).toEqual(['actions', 'task'])
    expect(create.additionalProperties).toBe(false)
    expect(document.components.schemas.TaskCreated).not.toHaveProperty('additionalProperties')
    expect(dereference(create.properties.priority).enum).toEqual(['urgent', 'high', 'normal', 'low'])
    expect(dereference(create.properties.metadata).type).toBe('object')
    expect(create.properties.actions).toMatchObject({ type: 'array', maxItems: 50 })
    expect(dereference(create.properties.actions.items).required).toEqual(['id', 'title'])
    const batch = document.components.schemas.CreateTasks.properties.tasks
    expect(batch).toMatchObject({ maxItems: 100, items: { $ref: '#/components/schemas/CreateTask' } })
    const list = document.paths['/tasks'].get.parameters
    const parameter = (name: string) => list.find((one: Json) => one.name === name)
    expect(parameter('limit')).toMatchObject({ in: 'query', required: false, schema: { type: 'integer' } })
    expect(dereference(parameter('createdAfter').schema)).toMatchObject({
      type: 'string',
      format: 'date-time',
    })
  })

  test('every call that takes a key against repeats documents its two headers', () => {
    const withKey = operations.filter(({ operation }) => {
      const schema = operation.requestBody?.content['application/json'].schema
      return schema && dereference(schema).properties?.idempotencyKey
    })
    expect(withKey.map(({ operation }) => operation.operationId).sort()).toEqual([
      'addNote',
      'askQuestion',
      'assignTask',
      'createTask',
      'sendUpdate',
    ])
    for (const { operation } of withKey) {
      expect(operation.parameters, operation.operationId).toContainEqual({
        $ref: '#/components/parameters/Idempotency-Key',
      })
      expect(operation.responses[200].headers, operation.operationId).toHaveProperty('Idempotency-Replayed')
    }
  })

  test('/docs lists every route without JavaScript', async () => {
    const response = await fetch(`${service.url}/docs`)
    expect(response.headers.get('content-type')).toBe('text/html; charset=utf-8')
    const page = await response.text()
    for (const { method, path, operation } of operations) {
      expect(page).toContain(`<span class="method">${method.toUpperCase()}</span> <code>${path}</code>`)
      expect(page).toContain(`id="${operation.operationId}"`)
    }
    for (const name of Object.keys(document.components.schemas)) expect(page).toContain(`id="schema-${name}"`)
    const ids = [...page.matchAll(/ id="([^"]+)"/g)].map(([, id]) => id)
    expect(new Set(ids).size).toBe(ids.length)
    expect(page).not.toMatch(/<script|style=|javascript:/i)
    for (const [, address] of page.matchAll(/(?:href|src)="([^"#]+)"/g)) {
      const linked = await fetch(new URL(address!, service.url))
      await linked.arrayBuffer()
      expect(linked.status, address).toBe(200)
    }
    for (const [, anchor] of page.matchAll(/href="#([^"]+)"/g)) expect(ids).toContain(anchor)
  })

  function dereference(node: Json): Json {
    return node?.$ref === undefined ? node : resolve(document, node.$ref)
  }
})

function walk(node: Json, visit: (node: Json, at: string) => void, at = '#'): void {
  if (typeof node !== 'object' || node === null) return
  visit(node, at)
  for (const [key, inner] of Object.entries(node)) walk(inner, visit, `${at}/${key}`)
}

function resolve(document: Json, reference: string): Json {
  expect(reference.startsWith('#/')).toBe(true)
  return reference
    .slice(2)
    .split('/')
    .reduce((node, part) => node?.[part.replaceAll('~1', '/').replaceAll('~0', '~')], document)
}
