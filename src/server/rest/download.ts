import type { Logger } from '../lib/logger.ts'
import type { HeldRequest, RouteResponse } from './route.ts'

/**
 * A file that is generated while it is sent: the next part is produced when the client has received
 * the previous one.
 */
export function download(
  log: Logger,
  { hold, requestId }: { hold(): HeldRequest; requestId: string },
  file: { contentType: string; fileName: string; parts: AsyncGenerator<string> },
  headers: Record<string, string> = {},
): RouteResponse {
  const held = hold()
  const encoder = new TextEncoder()
  const stream = new ReadableStream<Uint8Array>(
    {
      start(controller) {
        const abort = () => {
          // An error rather than an end: a partial file must not look complete.
          controller.error(new Error('The caller has disconnected or lost access to this file.'))
          end()
        }
        held.signal.addEventListener('abort', abort)
        if (held.signal.aborted) abort()
      },
      async pull(controller) {
        try {
          const { value, done } = await file.parts.next()
          if (held.signal.aborted) return
          if (!done) return controller.enqueue(encoder.encode(value))
          controller.close()
        } catch (error) {
          if (held.signal.aborted) return
          log.error({ err: error, requestId }, 'export failed')
          // Before the release, which aborts the signal: the first error of a stream is the one
          // that counts.
          controller.error(error)
        }
        held.release()
      },
      cancel: end,
    },
    { highWaterMark: 0 },
  )
  return {
    status: 200,
    stream,
    headers: {
      'content-type': file.contentType,
      'content-disposition': `attachment; filename="${file.fileName}"`,
      ...headers,
    },
  }

  function end(): void {
    held.release()
    void file.parts.return(undefined)
  }
}
