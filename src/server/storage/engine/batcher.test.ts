import { expect, test } from 'vitest'
import { createBatcher } from './batcher.ts'

/** A `send` whose calls stay pending until the test ends them. */
function createSends() {
  const sent: { workspaceId: string; items: number[]; end(error?: Error): void }[] = []
  const send = (workspaceId: string, items: number[]) =>
    new Promise<number[]>((resolve, reject) => {
      const end = (error?: Error) => (error ? reject(error) : resolve(items.map((item) => item * 10)))
      sent.push({ workspaceId, items, end })
    })
  return { sent, send }
}

const settle = () => new Promise((resolve) => setImmediate(resolve))

test('the first item is sent immediately, items that arrive meanwhile form one batch, and each gets its own result', async () => {
  const { sent, send } = createSends()
  const add = createBatcher({ send, maxItems: 10 })
  const results = Promise.all([1, 2, 3].map((item) => add('a', item)))
  expect(sent.map(({ items }) => items)).toEqual([[1]])
  sent[0]!.end()
  await settle()
  expect(sent.map(({ items }) => items)).toEqual([[1], [2, 3]])
  sent[1]!.end()
  expect(await results).toEqual([10, 20, 30])
})

test('workspaces do not wait for each other', () => {
  const { sent, send } = createSends()
  const add = createBatcher({ send, maxItems: 10 })
  void add('a', 1)
  void add('b', 2)
  expect(sent.map(({ workspaceId }) => workspaceId)).toEqual(['a', 'b'])
})

test('a batch is limited by items and weight, and an item above the weight limit is sent alone', async () => {
  const { sent, send } = createSends()
  const add = createBatcher({ send, maxItems: 3, maxWeight: 10, weigh: (item) => item })
  for (const item of [1, 2, 3, 4, 5, 99, 1]) void add('a', item)
  for (let index = 0; index < 5; index++) {
    sent[index]!.end()
    await settle()
  }
  expect(sent.map(({ items }) => items)).toEqual([[1], [2, 3, 4], [5], [99], [1]])
})

test('an item that the database rejects for its content does not fail the others', async () => {
  const add = createBatcher<number, number>({
    maxItems: 10,
    async send(_, items) {
      if (items.includes(13)) throw Object.assign(new Error('refused'), { code: '22P02' })
      return items
    },
  })
  const results = await Promise.allSettled([1, 2, 13, 4].map((item) => add('a', item)))
  expect(results.map(({ status }) => status)).toEqual(['fulfilled', 'fulfilled', 'rejected', 'fulfilled'])
})

test('a lost connection fails the items in flight once, and later items are sent', async () => {
  const { sent, send } = createSends()
  const add = createBatcher({ send, maxItems: 10 })
  const outcome = Promise.allSettled([1, 2, 3].map((item) => add('a', item)))
  sent[0]!.end()
  await settle()
  sent[1]!.end(new Error('Connection terminated'))
  expect((await outcome).map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'rejected'])
  expect(sent).toHaveLength(2)
  const next = add('a', 4)
  sent[2]!.end()
  expect(await next).toBe(40)
})
