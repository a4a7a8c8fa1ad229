import type { Service } from '../domain/service.ts'
import type { Answer, Held } from './route.ts'

const heartbeatMilliseconds = 15_000
const reconnectMilliseconds = 2_000
// What is handed over at once. A reader is cut off when it takes nothing for a while (listen.ts); a slow one must manage this much.
const pieceLength = 64 * 1024

/** `name`: where it is another event than the stream's own. */
type Numbered = { cursor: string; event: unknown; name?: string }

/**
 * Server-sent events: each with its cursor as id, so that a browser resumes where it was. The next batch is read when the
 * reader has taken the one before, so a stream never holds more than one. A comment every 15 s keeps proxies from closing it.
 */
export function eventStream(
  service: Service,
  name: string,
  batches: AsyncGenerator<Numbered[]>,
  held: Held,
): Answer {
  const encoder = new TextEncoder()
  const { streams } = service.metrics
  let pieces = [`retry: ${reconnectMilliseconds}\nevent: hello\ndata: {}\n\n`]
  let reading: Promise<IteratorResult<Numbered[]>> | undefined
  let isOver = false

  const stream = new ReadableStream<Uint8Array>(
    {
      start(controller) {
        streams.inc({ kind: name })
        const end = () => {
          if (over()) controller.close()
        }
        held.signal.addEventListener('abort', end)
        if (held.signal.aborted) end()
      },
      async pull(controller) {
        const piece = await nextPiece().catch((error) => {
          service.log.warn({ err: error }, 'event stream failed')
        })
        if (isOver) return
        if (piece !== undefined) controller.enqueue(encoder.encode(piece))
        else if (over()) controller.close()
      },
      cancel: () => void over(),
    },
    { highWaterMark: 0 },
  )
  return {
    status: 200,
    stream,
    headers: { 'content-type': 'text/event-stream', 'cache-control': 'no-store', 'x-accel-buffering': 'no' },
  }

  /** undefined: there is no more. */
  async function nextPiece(): Promise<string | undefined> {
    while (pieces.length === 0) {
      reading ??= batches.next()
      const read = await within(heartbeatMilliseconds, reading)
      if (!read) return ': still here\n\n'
      reading = undefined
      if (read.done) return undefined
      pieces = toPieces(name, read.value)
    }
    return pieces.shift()
  }

  /** False: it was over before. */
  function over(): boolean {
    if (isOver) return false
    isOver = true
    streams.dec({ kind: name })
    held.release()
    void batches.return(undefined)
    return true
  }
}

function toPieces(name: string, events: Numbered[]): string[] {
  const pieces: string[] = []
  let piece = ''
  for (const one of events) {
    // JSON has no line breaks of its own, so no text of a sender can forge a second event.
    piece += `event: ${one.name ?? name}\nid: ${one.cursor}\ndata: ${JSON.stringify(one.event)}\n\n`
    if (piece.length < pieceLength) continue
    pieces.push(piece)
    piece = ''
  }
  if (piece !== '') pieces.push(piece)
  return pieces
}

/** undefined: it takes longer. */
async function within<T>(milliseconds: number, work: Promise<T>): Promise<T | undefined> {
  let timer: NodeJS.Timeout | undefined
  const timeout = new Promise<undefined>((resolve) => {
    timer = setTimeout(resolve, milliseconds, undefined)
  })
  return await Promise.race([work, timeout]).finally(() => clearTimeout(timer))
}
