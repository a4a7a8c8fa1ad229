import type { Answer } from './route.ts'

// So often it is asked whether the caller may still have it.
const partsBetweenQuestions = 100

/** A file that is written while it is read: the next part is made when the receiver has taken the one before. */
export function download(
  file: { contentType: string; fileName: string; parts: AsyncGenerator<string> },
  headers: Record<string, string>,
  stillAllowed: () => Promise<boolean>,
): Answer {
  const encoder = new TextEncoder()
  let sent = 0
  const stream = new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        sent++
        if (sent % partsBetweenQuestions === 0 && !(await stillAllowed())) {
          controller.error(new Error('The caller may not have this any more.'))
          return
        }
        const { value, done } = await file.parts.next()
        if (done) controller.close()
        else controller.enqueue(encoder.encode(value))
      },
      async cancel() {
        await file.parts.return(undefined)
      },
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
}
