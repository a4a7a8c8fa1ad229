import { createMessageLog } from './message-log.ts'

// biome-ignore lint/suspicious/noExplicitAny: tests read messages field by field
export type PushedMessage = { id: string; message: any }

/** Opens GET /mcp and resolves once it is open. Records messages and comments in order. */
export async function openMcpStream(url: string, identity: Record<string, string>, lastEventId?: string) {
  const connection = new AbortController()
  const response = await fetch(`${url}/mcp`, {
    headers: {
      accept: 'text/event-stream',
      ...identity,
      ...(lastEventId !== undefined && { 'last-event-id': lastEventId }),
    },
    signal: connection.signal,
  })
  if (response.status !== 200) throw new Error(`no stream: ${response.status} ${await response.text()}`)
  const { add, end, ...messages } = createMessageLog<PushedMessage>()
  const comments: string[] = []
  const ended = (async () => {
    try {
      let buffered = ''
      const decoder = new TextDecoder()
      for await (const chunk of response.body as unknown as AsyncIterable<Uint8Array>) {
        const blocks = (buffered + decoder.decode(chunk, { stream: true })).split('\n\n')
        buffered = blocks.pop()!
        for (const block of blocks) record(block)
      }
    } catch {
      // Closed by close(), or because the service was killed.
    }
    end()
  })()

  function record(block: string): void {
    const field = (name: string) => block.match(new RegExp(`^${name}: ?(.*)$`, 'm'))?.[1]
    const data = field('data')
    if (data !== undefined) add({ id: field('id') ?? '', message: JSON.parse(data) })
    const comment = field('')
    if (comment !== undefined) comments.push(comment)
  }

  return {
    ...messages,
    comments,
    headers: response.headers,
    /** Resolves when either side has closed the connection. */
    ended,
    async close(): Promise<void> {
      connection.abort()
      await ended
    },
  }
}
