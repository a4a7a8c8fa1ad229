import { createHash } from 'node:crypto'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { CreateTask } from '../../../contract/create-task.ts'
import { hashRequest } from './hash-request.ts'

const hash = (args: unknown) => hashRequest(args as CreateTask)

test('the hash is the same for any order of keys, and differs for any other change', async () => {
  const one = await hash({ task: { name: 'N', 2: [1, { a: null }] }, idempotencyKey: 'k' })
  expect(
    await hash({ idempotencyKey: 'other', task: { 2: [1, { a: null }], name: 'N', gone: undefined } }),
  ).toBe(one)
  expect(await hash({ task: { name: 'N', 2: [{ a: null }, 1] } })).not.toBe(one)
  expect(await hash({ a: { pairs: [['b', 1]] } })).not.toBe(await hash({ a: { b: 1 } }))
})

test('the hash does not change between releases, because hashes are stored', async () => {
  const canonical = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(canonical)
    if (typeof value !== 'object' || value === null) return value
    return {
      pairs: Object.entries(value)
        .sort(([a], [b]) => (a < b ? -1 : 1))
        .map(([key, inner]) => [key, canonical(inner)]),
    }
  }
  const digest = (value: unknown) =>
    createHash('sha256')
      .update(JSON.stringify(canonical(value)))
      .digest('hex')
  await fc.assert(
    fc.asyncProperty(fc.jsonValue(), async (data) => {
      expect(await hash({ data })).toBe(digest({ data }))
    }),
  )
  const large = { data: Array.from({ length: 20_000 }, (_, n) => ({ [`k${n}`]: n, text: 'é"' })) }
  expect(await hash(large)).toBe(digest(large))
  expect(await hash({ b: [1, 'x'], a: {} })).toBe(
    createHash('sha256').update('{"pairs":[["a",{"pairs":[]}],["b",[1,"x"]]]}').digest('hex'),
  )
})
