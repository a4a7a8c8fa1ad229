import type { Service } from '../domain/service.ts'
import type { Answer } from './route.ts'

const heartbeatMilliseconds = 15_000
const reconnectMilliseconds = 2_000

/** `name`: where it is another event than the stream's own. */
type Numbered = { cursor: string; event: unknown; name?: string }

/**
 * Server-sent events: each with its cursor as id, so that a browser resumes where it was. A comment every 15 s keeps
 * proxies from closing the line, and asks whether the caller is still allowed to listen.
 */
export function eventStream(
  service: Service,
  name: string,
  batches: AsyncGenerator<Numbered[]>,
  signal: AbortSignal,
  stillAllowed: () => Promise<boolean>,
): Answer {
  const encoder = new TextEncoder()
  const { streams } = service.metrics
  let heartbeat: NodeJS.Timeout | undefined
  let ended = false
  const stream = new ReadableStream<Uint8Array>({
    start(controller) {
      streams.inc({ kind: name })
      const write = (text: string) => {
        if (!ended) controller.enqueue(encoder.encode(text))
      }
      const end = () => {
        if (ended) return
        ended = true
        clearInterval(heartbeat)
        streams.dec({ kind: name })
        void batches.return(undefined)
        controller.close()
      }
      write(`retry: ${reconnectMilliseconds}\nevent: hello\ndata: {}\n\n`)
      heartbeat = setInterval(() => {
        write(': still here\n\n')
        void stillAllowed().then((allowed) => allowed || end())
      }, heartbeatMilliseconds)
      signal.addEventListener('abort', end)
      void pump(write)
        .catch((error) => service.log.warn({ err: error }, 'an event stream broke'))
        .finally(end)
    },
    cancel() {
      ended = true
      clearInterval(heartbeat)
      streams.dec({ kind: name })
      void batches.return(undefined)
    },
  })
  return {
    status: 200,
    stream,
    headers: { 'content-type': 'text/event-stream', 'cache-control': 'no-store', 'x-accel-buffering': 'no' },
  }

  async function pump(write: (text: string) => void): Promise<void> {
    for await (const batch of batches) {
      // JSON has no line breaks of its own, so no text of a sender can forge a second event.
      write(
        batch
          .map(
            (one) => `event: ${one.name ?? name}\nid: ${one.cursor}\ndata: ${JSON.stringify(one.event)}\n\n`,
          )
          .join(''),
      )
    }
  }
}
