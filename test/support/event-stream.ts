export type StreamedEvent = { id: string; event: string; data: unknown }

/** Yields the server-sent events of a response as they arrive, until the stream ends. */
export async function* readEventStream(response: Response): AsyncGenerator<StreamedEvent> {
  let buffered = ''
  const decoder = new TextDecoder()
  for await (const chunk of response.body as unknown as AsyncIterable<Uint8Array>) {
    buffered += decoder.decode(chunk, { stream: true })
    for (;;) {
      const end = buffered.indexOf('\n\n')
      if (end === -1) break
      const fields = new Map(
        buffered
          .slice(0, end)
          .split('\n')
          .filter((line) => !line.startsWith(':'))
          .map((line) => [line.slice(0, line.indexOf(':')), line.slice(line.indexOf(':') + 2)] as const),
      )
      buffered = buffered.slice(end + 2)
      if (!fields.has('data')) continue
      yield {
        id: fields.get('id') ?? '',
        event: fields.get('event') ?? '',
        data: JSON.parse(fields.get('data')!),
      }
    }
  }
}
