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

test('a baseUrl without a scheme is refused before any request', () => {
  for (const wrong of ['handrail.example', 'localhost:3000', 'https://'])
    expect(() => createClient({ baseUrl: wrong, apiKey: 'hrl_1' })).toThrow(
      `baseUrl "${wrong}" is not a URL of a service. Pass one like https://handrail.example.`,
    )
})

test('an idempotency key may have any character, and the key of the task itself comes first', async () => {
  const keys: unknown[] = []
  const { ask, createTask } = createClient({
    baseUrl,
    apiKey: 'hrl_1',
    fetch: async (url, init) => {
      new Request(url, init) // as `fetch`, refuses headers that HTTP cannot carry
      keys.push(JSON.parse(String(init.body)).idempotencyKey)
      return Response.json({ code: 'forbidden', detail: '', requestId: '' }, { status: 403 })
    },
  })
  const input = {
    task: { type: 'refund', name: 'Refund?', description: 'Late.' },
    actions: [{ id: 'approve', title: 'Approve' }],
  }
  const calls = [
    ask({ ...input, key: 'größe-€' }),
    createTask(input, { idempotencyKey: 'größe-€' }),
    createTask({ ...input, idempotencyKey: 'own' }, { idempotencyKey: 'other' }),
  ]
  for (const call of calls) await expect(call).rejects.toMatchObject({ code: 'forbidden' })
  expect(keys).toEqual(['größe-€', 'größe-€', 'own'])
})

test('if a redirect to another origin has dropped the API key, the error names that origin', async () => {
  const body = { code: 'unauthenticated', detail: 'Send an API key.', requestId: '' }
  const response = Object.defineProperties(Response.json(body, { status: 401 }), {
    redirected: { value: true },
    url: { value: 'https://handrail.example/api/v1/me' },
  })
  const { me } = createClient({ baseUrl, apiKey: 'hrl_1', fetch: async () => response })
  await expect(me()).rejects.toMatchObject({
    code: 'unauthenticated',
    message:
      'The request was redirected to https://handrail.example, without its API key. Use the final URL of the service.',
  })
})
