import { expect, test } from 'vitest'
import { createCallerLimit, limitHeaders } from './request-limit.ts'

test('the window of a rate that does not divide the burst is a whole number of seconds', async () => {
  const allowance = await createCallerLimit({ rateLimit: 3, rateBurst: 20 })!.take('key_1')
  expect(limitHeaders('key', allowance)).toEqual({
    'ratelimit-policy': '"key";q=20;w=7',
    ratelimit: '"key";r=19;t=7',
  })
})
