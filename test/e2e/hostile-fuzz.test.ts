import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Caller } from '../support/http.ts'
import { startService, type TestService, type TestWorkspace, taskPayload } from '../support/service.ts'

const runs = { numRuns: 80 }

describe('no input breaks the service', () => {
  let service: TestService
  let acme: TestWorkspace
  beforeAll(async () => {
    service = await startService()
    acme = await service.workspace()
  })
  afterAll(() => service.stop())

  const anyJson = fc.jsonValue({ maxDepth: 6 })
  const word = fc.oneof(
    fc.string({ maxLength: 30 }),
    fc.string({ unit: 'binary', maxLength: 10 }),
    fc.constantFrom(
      '',
      '\0',
      '\ud800',
      'ＡＢ',
      '%',
      '\u202e',
      "'; DROP TABLE tasks; --",
      '$1',
      '{}',
      'a:*',
      '&|!()',
    ),
  )

  /** A valid value with one part of it replaced by any JSON. */
  const mutated = (valid: unknown) =>
    fc
      .tuple(fc.constantFrom(...pathsIn(valid)), anyJson)
      .map(([path, value]) => replaceAt(valid, path, value))

  async function expectNoServerError(
    caller: Caller,
    method: string,
    path: string,
    text?: string,
  ): Promise<void> {
    const { status, body } = await caller.send(method, path, text)
    expect(status, `${method} ${path} ${text?.slice(0, 500)} -> ${JSON.stringify(body)}`).toBeLessThan(500)
  }

  test('POST /tasks with any JSON, and with a valid payload changed in one place', async () => {
    const valid = taskPayload({
      context: { data: { items: [{ name: 'a', response: 'b' }] }, ui: { items: { 'ui:widget': 'compare' } } },
      metadata: { order: 7 },
      priority: 'high',
      threadId: 't',
      idempotencyKey: 'i',
    })
    await fc.assert(
      fc.asyncProperty(fc.oneof(anyJson, mutated(valid)), (body) =>
        expectNoServerError(acme.agent, 'POST', '/tasks', JSON.stringify(body)),
      ),
      runs,
    )
  })

  test('POST /tasks with any form', async () => {
    const keyword = fc.constantFrom(
      ...[
        'type',
        'properties',
        'required',
        'items',
        'enum',
        'const',
        'anyOf',
        'oneOf',
        'allOf',
        'not',
        'if',
        'then',
      ],
      ...[
        '$ref',
        '$defs',
        'definitions',
        'dependencies',
        'pattern',
        'format',
        'minLength',
        'maxItems',
        'multipleOf',
      ],
      ...['additionalProperties', 'uniqueItems', 'default', 'readOnly', 'prefixItems', 'enumNames', 'title'],
    )
    const { schema } = fc.letrec((tie) => ({
      schema: fc.oneof(
        { maxDepth: 4 },
        fc.constantFrom(
          'object',
          'string',
          'array',
          '#',
          '#/$defs/a',
          '#/properties/x',
          '^(a+)+$',
          true,
          0,
          -1,
          null,
          [],
        ),
        fc.dictionary(fc.oneof(keyword, fc.constantFrom('x', 'y')), tie('schema'), { maxKeys: 5 }),
        fc.array(tie('schema'), { maxLength: 3 }),
      ),
    }))
    await fc.assert(
      fc.asyncProperty(schema, schema, async (inner, ui) => {
        const form = { type: 'object', properties: { x: inner }, $defs: { a: inner } }
        const payload = taskPayload({ actions: [{ id: 'ok', title: 'OK', schema: form, ui }] })
        const created = await acme.agent.post('/tasks', payload)
        expect(created.status, JSON.stringify(payload)).toBeLessThan(500)
        // An accepted form must not break its answer.
        if (created.status !== 201) return
        const answer = { actionId: 'ok', data: { x: inner } }
        await expectNoServerError(
          acme.owner,
          'POST',
          `/tasks/${created.body.taskId}/handle`,
          JSON.stringify(answer),
        )
      }),
      runs,
    )
  })

  test('answers, drafts, updates and rejections with any content', async () => {
    const { taskId } = (await acme.agent.post('/tasks', taskPayload())).body
    const bodies: [string, string, unknown][] = [
      ['POST', `/tasks/${taskId}/handle`, { actionId: 'decline', data: { reason: 1 }, presented: {} }],
      ['PUT', `/tasks/${taskId}/drafts/decline`, { data: { reason: 'r' } }],
      ['POST', `/tasks/${taskId}/updates`, { message: 'm', level: 'info', progress: 5 }],
      ['POST', `/tasks/${taskId}/reject`, { feedback: 1 }],
      ['PATCH', '/workspace', { name: 'Acme' }],
      ['PATCH', `/members/usr_0123456789abcdefghjkmnpqrs`, { role: 'member' }],
      ['POST', '/api-keys', { name: 'k', expiresAt: '2030-01-01T00:00:00Z' }],
      ['POST', '/groups', { slug: 's', name: 'n', members: ['someone@example.com'] }],
      ['POST', '/policies', { app: 'a', by: ['group:s'], needed: 2, doubleReviewShare: 0.1 }],
      ['POST', '/invitations', { email: 'someone@example.com', role: 'member' }],
      ['POST', '/invitations/preview', { token: 't' }],
      ['POST', '/unsubscribe/preview', { token: 't' }],
      ['POST', '/invitations/accept', { token: 't', name: 'n', password: 'long enough it is' }],
      ['POST', '/setup', { token: 't', workspace: 'w', name: 'n', email: 'e@example.com', password: 'p' }],
    ]
    const request = fc
      .constantFrom(...bodies)
      .chain(([method, path, body]) =>
        fc.oneof(anyJson, mutated(body)).map((sent) => ({ method, path, text: JSON.stringify(sent) })),
      )
    await fc.assert(
      fc.asyncProperty(request, ({ method, path, text }) =>
        expectNoServerError(acme.owner, method, path, text),
      ),
      runs,
    )
  })

  test('queries and paths with any content', async () => {
    const name = fc.constantFrom(
      ...[
        'status',
        'type',
        'app',
        'version',
        'priority',
        'threadId',
        'createdAfter',
        'createdBefore',
        'limit',
      ],
      ...[
        'cursor',
        'handledBy',
        'actionId',
        'handledAfter',
        'sort',
        'query',
        'include',
        'waitSeconds',
        'subject',
      ],
    )
    const path = fc.constantFrom('/tasks', '/tasks/search', '/inbox', '/audit', '/threads/x/timeline', '/me')
    const cursor = fc
      .array(fc.oneof(word, fc.integer(), fc.constant('2026-01-01T00:00:00.000Z')), { maxLength: 6 })
      .map((parts) => Buffer.from(JSON.stringify(parts)).toString('base64url'))
    const query = fc.dictionary(
      name,
      fc.oneof(
        word,
        fc.date({ noInvalidDate: true }).map((date) => date.toISOString()),
        cursor,
      ),
      {
        maxKeys: 3,
      },
    )
    await fc.assert(
      fc.asyncProperty(path, query, (at, parts) =>
        expectNoServerError(acme.owner, 'GET', `${at}?${new URLSearchParams(wellFormed(parts))}`),
      ),
      runs,
    )
    await fc.assert(
      fc.asyncProperty(fc.uint8Array({ maxLength: 20 }), (bytes) => {
        const odd = [...bytes].map((byte) => `%${byte.toString(16).padStart(2, '0')}`).join('')
        return expectNoServerError(acme.owner, 'GET', `/threads/${odd}/timeline`)
      }),
      runs,
    )
  })

  test('headers with any printable characters', async () => {
    const value = fc.string({ maxLength: 60 }).map((text) => text.trim())
    const header = fc.constantFrom(
      'x-api-key',
      'authorization',
      'cookie',
      'handrail-workspace',
      'origin',
      'last-event-id',
      'idempotency-key',
      'x-forwarded-for',
      'content-type',
    )
    await fc.assert(
      fc.asyncProperty(fc.dictionary(header, value, { maxKeys: 4 }), async (headers) => {
        const response = await fetch(`${service.url}/api/v1/tasks`, {
          method: 'POST',
          headers: { 'x-api-key': acme.apiKey, ...headers },
          body: JSON.stringify(taskPayload()),
        })
        await response.arrayBuffer()
        expect(response.status, JSON.stringify(headers)).toBeLessThan(500)
      }),
      runs,
    )
  })
})

type Path = (string | number)[]

function pathsIn(value: unknown, at: Path = []): Path[] {
  if (typeof value !== 'object' || value === null) return [at]
  return [at, ...Object.entries(value).flatMap(([key, inner]) => pathsIn(inner, [...at, key]))]
}

function replaceAt(value: unknown, [first, ...rest]: Path, by: unknown): unknown {
  if (first === undefined) return by
  const copy = Array.isArray(value) ? [...value] : { ...(value as object) }
  Object.assign(copy, { [first]: replaceAt((value as Record<string, unknown>)[first], rest, by) })
  return copy
}

/** A query string cannot contain a lone surrogate. JSON can, which other tests cover. */
function wellFormed(parts: Record<string, string>): Record<string, string> {
  return Object.fromEntries(Object.entries(parts).map(([name, value]) => [name, value.toWellFormed()]))
}
