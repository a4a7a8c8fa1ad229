import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { type LiveState, subscribeToInbox } from './inbox-stream.ts'

class Source extends EventTarget {
  static CLOSED = 2
  static opened: Source[] = []
  readyState = 0
  constructor() {
    super()
    Source.opened.push(this)
  }
  close() {
    this.readyState = Source.CLOSED
  }
}

beforeEach(() => {
  vi.useFakeTimers()
  vi.stubGlobal('EventSource', Source)
  Source.opened = []
})
afterEach(() => {
  vi.useRealTimers()
  vi.unstubAllGlobals()
})

function subscribe() {
  const states: LiveState[] = []
  const stop = subscribeToInbox({
    url: () => '/stream',
    after: '0',
    onEvent: () => undefined,
    onState: (state) => states.push(state),
    onStartOver: () => undefined,
    onRefused: () => undefined,
    refresh: async () => true,
  })
  return { states, stop }
}

test('a stream that reconnects by itself and then receives nothing is opened again, and the list polls meanwhile', async () => {
  const { states, stop } = subscribe()
  const [first] = Source.opened
  first!.dispatchEvent(new Event('hello'))
  expect(states).toEqual(['connected'])
  // EventSource connects again, now to a proxy that sends nothing.
  first!.dispatchEvent(new Event('error'))
  await vi.advanceTimersByTimeAsync(60_000)
  expect(Source.opened.length).toBeGreaterThan(2)
  expect(states.at(-1)).toBe('polling')
  stop()
})

test('a stream that falls silent is opened again, and heartbeats keep it open', async () => {
  const { states, stop } = subscribe()
  const [first] = Source.opened
  first!.dispatchEvent(new Event('hello'))
  for (let n = 0; n < 10; n += 1) {
    await vi.advanceTimersByTimeAsync(15_000)
    first!.dispatchEvent(new Event('heartbeat'))
  }
  expect(Source.opened).toHaveLength(1)
  await vi.advanceTimersByTimeAsync(45_000)
  expect(first!.readyState).toBe(Source.CLOSED)
  expect(Source.opened).toHaveLength(2)
  expect(states).toEqual(['connected', 'reconnecting'])
  Source.opened[1]!.dispatchEvent(new Event('hello'))
  expect(states.at(-1)).toBe('connected')
  stop()
})

test.each([
  ['the page is shown again', () => document.dispatchEvent(new Event('visibilitychange'))],
  ['the network is back', () => window.dispatchEvent(new Event('online'))],
])('after sleep, when timers stood still, the stream is opened again as soon as %s', (_, occur) => {
  const { stop } = subscribe()
  Source.opened[0]!.dispatchEvent(new Event('hello'))
  occur()
  expect(Source.opened).toHaveLength(1)
  vi.setSystemTime(Date.now() + 3_600_000)
  occur()
  occur()
  expect(Source.opened.map(({ readyState }) => readyState)).toEqual([Source.CLOSED, 0])
  stop()
  vi.setSystemTime(Date.now() + 3_600_000)
  occur()
  expect(Source.opened).toHaveLength(2)
})
