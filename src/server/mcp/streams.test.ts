import { EventEmitter } from 'node:events'
import type { ServerResponse } from 'node:http'
import { expect, test, vi } from 'vitest'
import { createCredentialWatch } from '../lib/credential-watch.ts'
import { createLogger } from '../lib/logger.ts'
import type { McpSessionStore } from '../lib/mcp-session-store.ts'
import { createMetrics } from '../lib/metrics.ts'
import { closeStreams, createStreams, openStream } from './streams.ts'

const session = { sessionId: 'ses_1', workspaceId: 'wsp_1', keyId: 'key_1' }

/** The streams of a store that has these functions, and a response that keeps what is written. */
function setUp(store: Partial<McpSessionStore>) {
  const log = createLogger('silent')
  const releaseStream = vi.fn(async () => undefined)
  const complete = { listen: () => () => undefined, releaseStream, ...store } as unknown as McpSessionStore
  const streams = createStreams({
    store: complete,
    log,
    metrics: createMetrics(),
    keyWatch: createCredentialWatch(async () => []),
  })
  const response = Object.assign(new EventEmitter(), {
    writeHead: vi.fn(),
    write: vi.fn(() => true),
    end: vi.fn(),
  })
  const open = () => openStream(streams, session, 'key', response as unknown as ServerResponse, undefined)
  return { log, streams, response, open, releaseStream }
}

test('a stream that is being opened while the server starts to drain is refused and released', async () => {
  const prepared: ReturnType<typeof setUp> = setUp({
    async takeStream() {
      await closeStreams(prepared.streams)
      return { last: 0, written: 0 }
    },
  })
  const { streams, response, open, releaseStream } = prepared
  expect(await open()).toBe('draining')
  expect(response.writeHead).not.toHaveBeenCalled()
  expect(streams.open.size).toBe(0)
  expect(releaseStream).toHaveBeenCalledOnce()
})

test('a position that cannot be saved is logged as such, and the next messages are still written', async () => {
  const page = (first: number) =>
    Array.from({ length: 8 }, (_, i) => ({ number: first + i, message: `{"n":${first + i}}` }))
  const { log, streams, response, open } = setUp({
    takeStream: async () => ({ last: 9, written: 0 }),
    read: async (_, after) => (after === 0 ? page(1) : after === 8 ? page(9).slice(0, 1) : []),
    markWritten: async () => Promise.reject(new Error('the store is gone')),
  })
  const warn = vi.spyOn(log, 'warn')
  expect(await open()).toBe('open')
  await vi.waitFor(() => expect(warn).toHaveBeenCalledTimes(2))
  expect(response.write).toHaveBeenLastCalledWith('event: message\nid: 9\ndata: {"n":9}\n\n')
  expect(warn.mock.calls.map(([, message]) => message)).toEqual(
    Array(2).fill('failed to save the stream position'),
  )
  await closeStreams(streams)
})
