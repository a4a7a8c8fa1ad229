// biome-ignore lint/suspicious/noExplicitAny: tests read messages field by field
export type PushedMessage = { id: string; message: any }

/** One GET /mcp, from the moment it is open. Keeps what came, in order; comments apart. */
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
  const seen: PushedMessage[] = []
  const comments: string[] = []
  let tell = () => {}
  let open = true
  const ended = (async () => {
    try {
      let buffered = ''
      const decoder = new TextDecoder()
      for await (const chunk of response.body as unknown as AsyncIterable<Uint8Array>) {
        const blocks = (buffered + decoder.decode(chunk, { stream: true })).split('\n\n')
        buffered = blocks.pop()!
        for (const block of blocks) keep(block)
        tell()
      }
    } catch {
      // Cut: by leave(), or because the service died.
    }
    open = false
    tell()
  })()

  function keep(block: string): void {
    const field = (name: string) => block.match(new RegExp(`^${name}: ?(.*)$`, 'm'))?.[1]
    const data = field('data')
    if (data !== undefined) seen.push({ id: field('id') ?? '', message: JSON.parse(data) })
    const comment = field('')
    if (comment !== undefined) comments.push(comment)
  }

  return {
    seen,
    comments,
    headers: response.headers,
    /** Resolves when the connection is over, whoever ended it. */
    ended,
    isOpen: () => open,
    /** The first `count` messages, as soon as they are there. */
    async first(count: number, patienceMilliseconds = 10_000): Promise<PushedMessage[]> {
      const end = Date.now() + patienceMilliseconds
      while (seen.length < count) {
        const left = end - Date.now()
        if (left <= 0 || !open)
          throw new Error(`${seen.length} of ${count} messages came: ${JSON.stringify(seen)}`)
        await new Promise<void>((resolve) => {
          const timer = setTimeout(resolve, left)
          tell = () => {
            clearTimeout(timer)
            resolve()
          }
        })
      }
      return seen.slice(0, count)
    },
    async leave(): Promise<void> {
      connection.abort()
      await ended
    },
  }
}
