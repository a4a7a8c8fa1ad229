import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
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
    const ids = operations.map(({ operation }) => operation.operationId)
    expect(new Set(ids).size).toBe(ids.length)
    for (const { method, path, operation } of operations) {
      const name = `${method} ${path}`
      expect(operation.summary, name).toMatch(/^[A-Z].*\.$/)
      expect(operation.operationId, name).toMatch(/^[a-z][A-Za-z0-9]*$/)
      const inPath = [...path.matchAll(/\{(\w+)\}/g)].map(([, part]) => part)
      const declared = operation.parameters.filter((parameter: Json) => parameter.in === 'path')
      expect(
        declared.map((parameter: Json) => parameter.name),
        name,
      ).toEqual(inPath)
      for (const parameter of operation.parameters) {
        expect(parameter, name).toMatchObject({ schema: expect.any(Object), required: expect.any(Boolean) })
        if (parameter.in === 'path') expect(parameter.required).toBe(true)
      }
      expect(
        Object.keys(operation.responses).some((status) => /^2\d\d$/.test(status)),
        name,
      ).toBe(true)
      for (const response of Object.values<Json>(operation.responses))
        expect(response.description, name).toMatch(/\S/)
      for (const scheme of operation.security.flatMap((one: Json) => Object.keys(one)))
        expect(document.components.securitySchemes, name).toHaveProperty(scheme)
    }
  })

  test('every reference resolves, and every schema has a description', () => {
    let references = 0
    walk(document, (node, at) => {
      if (typeof node.$ref === 'string') {
        references++
        expect(resolve(document, node.$ref), `${at} -> ${node.$ref}`).toBeDefined()
      }
    })
    expect(references).toBeGreaterThan(30)
    for (const { method, path, operation } of operations) {
      const content = operation.requestBody?.content?.['application/json']
      if (content) expect(content.schema.type, `${method} ${path}`).toBe('object')
      for (const [status, response] of Object.entries<Json>(operation.responses)) {
        const schema = response.content?.['application/json']?.schema
        if (schema)
          expect(schema.type ?? schema.oneOf ?? schema.anyOf, `${method} ${path} ${status}`).toBeDefined()
      }
    }
  })

  test('fields that may be left out are not required, and types are those a caller sends', () => {
    const create = document.paths['/tasks'].post.requestBody.content['application/json'].schema
    expect(create.required.sort()).toEqual(['actions', 'task'])
    expect(create.additionalProperties).toBe(false)
    expect(create.properties).toMatchObject({
      priority: { enum: expect.arrayContaining(['low', 'normal', 'high', 'urgent']) },
      metadata: { type: 'object' },
      actions: { type: 'array', maxItems: 50, items: { required: expect.arrayContaining(['id', 'title']) } },
    })
    const list = document.paths['/tasks'].get.parameters
    const parameter = (name: string) => list.find((one: Json) => one.name === name)
    expect(parameter('limit')).toMatchObject({ in: 'query', required: false, schema: { type: 'integer' } })
    expect(parameter('createdAfter')).toMatchObject({ schema: { type: 'string', format: 'date-time' } })
  })

  test('/docs lists every route without JavaScript', async () => {
    const response = await fetch(`${service.url}/docs`)
    expect(response.headers.get('content-type')).toBe('text/html; charset=utf-8')
    const page = await response.text()
    for (const { method, path, operation } of operations) {
      expect(page).toContain(`<span class="method">${method.toUpperCase()}</span> <code>${path}</code>`)
      expect(page).toContain(`id="${operation.operationId}"`)
    }
    expect(page).not.toMatch(/<script|style=|javascript:/i)
    for (const [, address] of page.matchAll(/(?:href|src)="([^"#]+)"/g)) {
      const linked = await fetch(new URL(address!, service.url))
      await linked.arrayBuffer()
      expect(linked.status, address).toBe(200)
    }
    for (const [, anchor] of page.matchAll(/href="#([^"]+)"/g)) expect(page).toContain(`id="${anchor}"`)
  })
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
