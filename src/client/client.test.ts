import { expect, test } from 'vitest'
import { createClient } from './client.ts'

const baseUrl = 'http://127.0.0.1:1'

test.each(['', ' ', 'hrl_…', 'hrl_ä', 'hrl_1\n2'])(
  'the API key %j is refused before any request',
  (apiKey) => {
    expect(() => createClient({ baseUrl, apiKey })).toThrow(
      'The API key is missing or contains invalid characters. Set HANDRAIL_API_KEY, and pass it as apiKey.',
    )
  },
)

test('a line break at the end of the API key, as in a file, is accepted', async () => {
  const { me } = createClient({
    baseUrl,
    apiKey: 'hrl_1\n',
    fetch: async () => Response.json({ kind: 'key' }),
  })
  expect(await me()).toEqual({ kind: 'key' })
})

test('the error for an unreachable service names its URL', async () => {
  const lost = () => Promise.reject(new TypeError('fetch failed'))
  const cutOff = async () =>
    new Response(new ReadableStream({ start: (body) => body.error(new Error('lost')) }))
  for (const fetch of [lost, cutOff]) {
    await expect(createClient({ baseUrl, apiKey: 'hrl_1', fetch }).me()).rejects.toMatchObject({
      message: `The service at ${baseUrl} could not be reached.`,
      status: 0,
      code: 'unavailable',
    })
  }
})
