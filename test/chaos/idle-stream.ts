import { type IncomingMessage, request } from 'node:http'

export type IdleStream = {
  /** Tasks it was told of, in order. */
  told: string[]
  lastEventId(): string | undefined
  drop(): void
}

/** A GET /mcp that costs little to hold: no queue, no decoder, a connection of its own. */
export async function openIdleStream(
  url: string,
  identity: Record<string, string>,
  lastEventId?: string,
): Promise<IdleStream> {
  const told: string[] = []
  let lastId = lastEventId
  const asked = request(`${url}/mcp`, {
    agent: false,
    headers: {
      accept: 'text/event-stream',
      ...identity,
      ...(lastEventId !== undefined && { 'last-event-id': lastEventId }),
    },
  })
  const response = await new Promise<IncomingMessage>((resolve, reject) => {
    asked.on('response', resolve).on('error', reject).end()
  })
  if (response.statusCode !== 200) throw new Error(`no stream: ${response.statusCode}`)
  response.on('error', () => undefined) // dropped
  let buffered = ''
  response.on('data', (chunk: Buffer) => {
    const blocks = (buffered + chunk).split('\n\n')
    buffered = blocks.pop()!
    for (const block of blocks) {
      const data = /^data: (.+)$/m.exec(block)?.[1]
      if (data === undefined) continue
      lastId = /^id: (.+)$/m.exec(block)?.[1] ?? lastId
      told.push(JSON.parse(data).params.data.taskId)
    }
  })
  return { told, lastEventId: () => lastId, drop: () => asked.destroy() }
}
