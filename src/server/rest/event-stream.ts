import type { Service } from '../domain/service.ts'
import type { HeldRequest, RouteResponse } from './route.ts'

const heartbeatMilliseconds = 15_000
const reconnectMilliseconds = 2_000
// A write ends after this many characters. The `timeout` in listen.ts closes connections on which
// nothing moves, so a slow reader must be able to receive one write within that time.
const chunkLength = 64 * 1024

/** `name` overrides the event name of the stream. */
type StreamEvent = { cursor: string; event: unknown; name?: string }

/**
 * Server-sent events, with the cursor as id so that a browser resumes where it stopped. The next
 * batch is read when the client has received the previous one, so a stream buffers one batch at
 * most. After 15 s without events there is a heartbeat: it keeps proxies from closing the stream,
 * and a client that receives nothing for longer knows that its connection is lost. It is an event,
 * because browsers hide comments from pages.
 */
export function eventStream(
  service: Service,
  name: string,
  batches: AsyncGenerator<StreamEvent[]>,
  held: HeldRequest,
): RouteResponse {
  const encoder = new TextEncoder()
  const { streams } = service.metrics
  let chunks = [`retry: ${reconnectMilliseconds}\nevent: hello\ndata: {}\n\n`]
  let reading: Promise<IteratorResult<StreamEvent[]>> | undefined
  let hasEnded = false

  const stream = new ReadableStream<Uint8Array>(
    {
      start(controller) {
        streams.inc({ kind: name })
        const close = () => {
          if (release()) controller.close()
        }
        held.signal.addEventListener('abort', close)
        if (held.signal.aborted) close()
      },
      async pull(controller) {
        const chunk = await nextChunk().catch((error) => {
          service.log.warn({ err: error }, 'event stream failed')
        })
        if (hasEnded) return
        if (chunk !== undefined) controller.enqueue(encoder.encode(chunk))
        else if (release()) controller.close()
      },
      cancel: () => void release(),
    },
    { highWaterMark: 0 },
  )
  return {
    status: 200,
    stream,
    headers: { 'content-type': 'text/event-stream', 'cache-control': 'no-store', 'x-accel-buffering': 'no' },
  }

  /** undefined at the end of the stream. */
  async function nextChunk(): Promise<string | undefined> {
    // An empty batch sends nothing, so it does not postpone the heartbeat.
    const heartbeatAt = Date.now() + heartbeatMilliseconds
    while (chunks.length === 0) {
      reading ??= batches.next()
      const read = await withTimeout(heartbeatAt - Date.now(), reading)
      if (!read) return 'event: heartbeat\ndata: {}\n\n'
      reading = undefined
      if (read.done) return undefined
      chunks = toChunks(name, read.value)
    }
    return chunks.shift()
  }

  /** False if it was released before. */
  function release(): boolean {
    if (hasEnded) return false
    hasEnded = true
    streams.dec({ kind: name })
    held.release()
    void batches.return(undefined)
    return true
  }
}

function toChunks(name: string, events: StreamEvent[]): string[] {
  const chunks: string[] = []
  let chunk = ''
  for (const event of events) {
    // JSON.stringify escapes line breaks, so a sender's text cannot forge a second event.
    chunk += `event: ${event.name ?? name}\nid: ${event.cursor}\ndata: ${JSON.stringify(event.event)}\n\n`
    if (chunk.length < chunkLength) continue
    chunks.push(chunk)
    chunk = ''
  }
  if (chunk !== '') chunks.push(chunk)
  return chunks
}

/** undefined if the work takes longer. */
async function withTimeout<T>(milliseconds: number, work: Promise<T>): Promise<T | undefined> {
  let timer: NodeJS.Timeout | undefined
  const timeout = new Promise<undefined>((resolve) => {
    timer = setTimeout(resolve, milliseconds, undefined)
  })
  return await Promise.race([work, timeout]).finally(() => clearTimeout(timer))
}
