import { describe, expect, test } from 'vitest'
import { expectRejected, setUpHostileTests, withProperty, withSchema } from '../support/hostile-tests.ts'
import { taskPayload } from '../support/service.ts'

describe('hostile forms and answers get a clear 4xx that names the path', () => {
  const target = setUpHostileTests()

  describe('in forms', () => {
    const ref = (name: string) => ({ $ref: `#/definitions/${name}` })
    const at = 'actions[0].schema'
    test.each([
      [
        'a property __proto__',
        withSchema('{"type":"object","properties":{"__proto__":{"type":"string"}}}'),
        `${at}.properties.__proto__`,
      ],
      [
        'a property constructor',
        withSchema('{"type":"object","properties":{"constructor":{"type":"string"}}}'),
        `${at}.properties.constructor`,
      ],
      [
        'a property prototype',
        withSchema('{"type":"object","properties":{"prototype":{"type":"string"}}}'),
        `${at}.properties.prototype`,
      ],
      [
        'a required name that cannot be converted to a string',
        withSchema('{"type":"object","properties":{},"required":[{"toString":0}]}'),
        `${at}.required`,
      ],
      [
        'an option that cannot be converted to a string',
        withProperty({ enum: [{ toString: 0 }] }),
        `${at}.properties.x.enum[0].toString`,
      ],
      [
        'a hint that cannot be converted to a string',
        withSchema(
          '{"type":"object","properties":{"x":{"enum":["a"]}}},"ui":{"x":{"ui:enumNames":[{"toString":0}]}}',
        ),
        'actions[0].ui.x["ui:enumNames"][0].toString',
      ],
      [
        'uniqueItems over objects',
        withProperty({ type: 'array', uniqueItems: true, items: { type: 'object' } }),
        `${at}.properties.x.uniqueItems`,
      ],
      ['a schema that refers to itself', withSchema('{"type":"object","$ref":"#"}'), `${at}.$ref`],
      [
        'two schemas that refer to each other',
        withSchema(
          JSON.stringify({
            type: 'object',
            properties: { x: ref('a') },
            definitions: { a: ref('b'), b: ref('a') },
          }),
        ),
        `${at}.definitions.b.$ref`,
      ],
      [
        'a schema at another URL',
        withProperty({ $ref: 'http://169.254.169.254/latest' }),
        `${at}.properties.x.$ref`,
      ],
      ['a reference to a missing schema', withProperty(ref('nowhere')), `${at}.properties.x.$ref`],
      [
        'a keyword that is not enforced',
        withProperty({ contains: { type: 'string' } }),
        `${at}.properties.x.contains`,
      ],
      ['a schema 100 deep', withProperty(nested(100)), undefined],
      [
        'a pattern with lookahead',
        withProperty({ type: 'string', pattern: '^(?=.*\\d).{8}' }),
        `${at}.properties.x.pattern`,
      ],
      [
        'a pattern with excessive repetition',
        withProperty({ type: 'string', pattern: '(a{1000}){1000}' }),
        `${at}.properties.x.pattern`,
      ],
    ])('%s', async (_, text, path) => {
      const response = await target.agent.send('POST', '/tasks', text)
      if (path !== undefined) return expectRejected(response, path)
      expect(response.status).toBe(400)
      expect(response.body.errors[0].path).toMatch(/^actions\[0\]\.schema\./)
    })
  })

  describe('in answers', () => {
    const answer = async (property: unknown, value: unknown) => {
      const { body } = await target.agent.send('POST', '/tasks', withProperty(property))
      return await target.owner.post(`/tasks/${body.taskId}/handle`, { actionId: 'ok', data: { x: value } })
    }

    test('a pattern such as ^(a+)+$ is checked without backtracking', async () => {
      for (const pattern of ['^(a+)+$', '^(a|aa)+$', '^(a|a?)+$', '(.*)*x']) {
        expectRejected(await answer({ type: 'string', pattern }, `${'a'.repeat(50_000)}!`), 'data.x')
      }
      expect((await answer({ type: 'string', pattern: '^(a+)+$' }, 'a'.repeat(50_000))).status).toBe(200)
    })

    test('250 KiB of items that must be unique', async () => {
      const unique = { type: 'array', uniqueItems: true, items: { type: 'integer' } }
      expectRejected(
        await answer(
          unique,
          Array.from({ length: 36_000 }, (_, n) => 100_000 + n),
        ),
        'data.x',
      )
      const long = { type: 'array', uniqueItems: true, items: { type: 'string' } }
      const items = Array.from({ length: 1_000 }, (_, n) => `${'x'.repeat(250)}${n % 999}`)
      expectRejected(await answer(long, items), 'data.x')
    })

    test('20,000 wrong items and a value of 60 KB give at most fifty short errors of less than 64 KiB', async () => {
      const property = { type: 'array', items: { type: 'array', items: { const: 'k'.repeat(60_000) } } }
      const lists = Array.from({ length: 20 }, () => Array(1_000).fill(0))
      const atDeadline = JSON.stringify({
        ...taskPayload({ expiresInSeconds: 60, onExpire: { actionId: 'ok', data: { x: lists } } }),
        actions: [{ id: 'ok', title: 'OK', schema: { type: 'object', properties: { x: property } } }],
      })
      const responses = [await answer(property, lists), await target.agent.send('POST', '/tasks', atDeadline)]
      for (const { status, body } of responses) {
        expect(status).toBe(400)
        expect(Buffer.byteLength(JSON.stringify(body))).toBeLessThan(64 * 1024)
        expect(body.errors).toHaveLength(50)
        expect(body.errors[0].message).toBe(`Must be "${'k'.repeat(79)}…".`)
        expect(body.errors[49].message).toContain('There are more than 49 problems')
      }
    })

    test('a field named like an inherited property is undeclared like any other', async () => {
      const { body } = await target.agent.post('/tasks', taskPayload())
      for (const name of ['__proto__', 'constructor', 'toString', 'hasOwnProperty']) {
        const text = `{"actionId":"decline","data":{"reason":"r","${name}":{"polluted":true}}}`
        expectRejected(await target.owner.send('POST', `/tasks/${body.taskId}/handle`, text), `data.${name}`)
      }
    })
  })

  target.testHealth()
})

function nested(depth: number): unknown {
  let schema: unknown = { type: 'string' }
  for (let level = 0; level < depth; level++) schema = { type: 'array', items: schema }
  return schema
}
