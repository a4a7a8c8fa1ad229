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

test('a stream that reconnects by itself and then receives nothing is opened again, and the list polls meanwhile', async () => {
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
