import { Agent } from 'node:http'
import { openStream } from '../frame/event-stream.ts'
import { createHttpClient } from '../frame/http-client.ts'
import { openSession } from '../frame/mcp.ts'

// Holds many idle streams in its own process, so that they do not slow the measuring process. Started by
// bench/rows/idle-streams.ts, which sends the URLs over IPC and receives which stream got a message and when.

export type Open = { url: string; identity: Record<string, string>; kind: 'mcp' | 'bare'; count: number }
export type Told = { opened: string[] } | { stream: number; data: string; at: string }

const openedAtOnce = 32
const agent = new Agent({ maxSockets: Number.POSITIVE_INFINITY })
let opened = 0

process.on('message', (open: Open) => void openAll(open))

async function openAll({ url, identity, kind, count }: Open): Promise<void> {
  const names: string[] = []
  const client = createHttpClient(url, openedAtOnce)
  const openNext = async (): Promise<void> => {
    while (names.length < count) {
      const stream = opened++
      const at = names.push('') - 1
      names[at] = kind === 'mcp' ? await openSession(client, identity) : String(stream)
      await openStream(
        kind === 'mcp' ? `${url}/mcp` : `${url}/${stream}`,
        { ...identity, ...(kind === 'mcp' && { 'mcp-session-id': names[at] }) },
        agent,
        (data) => process.send!({ stream, data, at: String(process.hrtime.bigint()) } satisfies Told),
      )
    }
  }
  await Promise.all(Array.from({ length: openedAtOnce }, openNext))
  client.close()
  process.send!({ opened: names } satisfies Told)
}
