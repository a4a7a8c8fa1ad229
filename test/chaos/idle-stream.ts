import { type IncomingMessage, request } from 'node:http'

export type IdleStream = {
  /** The ids of the tasks it was notified about, in order. */
  taskIds: string[]
  lastEventId(): string | undefined
  drop(): void
}

/** A GET /mcp that costs little memory: no queue, no decoder, its own connection. */
export async function openIdleStream(
  url: string,
  identity: Record<string, string>,
  lastEventId?: string,
): Promise<IdleStream> {
  const taskIds: string[] = []
  let lastId = lastEventId
  const outgoing = request(`${url}/mcp`, {
    agent: false,
    headers: {
      accept: 'text/event-stream',
      ...identity,
      ...(lastEventId !== undefined && { 'last-event-id': lastEventId }),
    },
  })
  const response = await new Promise<IncomingMessage>((resolve, reject) => {
    outgoing.on('response', resolve).on('error', reject).end()
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
      taskIds.push(JSON.parse(data).params.data.taskId)
    }
  })
  return { taskIds, lastEventId: () => lastId, drop: () => outgoing.destroy() }
}
