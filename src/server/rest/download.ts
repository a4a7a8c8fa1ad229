import type { Answer, Held } from './route.ts'

/** A file that is written while it is read: the next part is made when the receiver has taken the one before. */
export function download(
  file: { contentType: string; fileName: string; parts: AsyncGenerator<string> },
  headers: Record<string, string>,
  held: Held,
): Answer {
  const encoder = new TextEncoder()
  const stream = new ReadableStream<Uint8Array>(
    {
      start(controller) {
        const cut = () => {
          // As an error, not as an end: half a file must not look like a whole one.
          controller.error(new Error('The caller is gone or may no longer have this file.'))
          over()
        }
        held.signal.addEventListener('abort', cut)
        if (held.signal.aborted) cut()
      },
      async pull(controller) {
        const { value, done } = await file.parts.next().catch((error) => {
          held.release()
          throw error
        })
        if (held.signal.aborted) return
        if (!done) return controller.enqueue(encoder.encode(value))
        controller.close()
        held.release()
      },
      cancel: over,
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

  function over(): void {
    held.release()
    void file.parts.return(undefined)
  }
}
