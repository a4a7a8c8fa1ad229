import { Agent } from 'node:http'
import { openStream } from '../frame/event-stream.ts'
import { createHttpClient } from '../frame/http-client.ts'
import { openSession } from '../frame/mcp.ts'

// Holds many idle streams in its own process, so that they do not slow the measuring process. It is
// started by bench/rows/idle-streams.ts, which sends `OpenStreams` over IPC and receives
// `HolderMessage`s.

export type OpenStreams = {
  url: string
  /** Headers that authenticate the client. */
  identity: Record<string, string>
  kind: 'mcp' | 'bare'
  count: number
}
/**
 * The names of opened streams (MCP session ids or numbers), or when any stream got an event, in
 * nanoseconds.
 */
export type HolderMessage = { opened: string[] } | { receivedAt: string }

const maxConcurrentOpens = 32
const agent = new Agent({ maxSockets: Number.POSITIVE_INFINITY })
let bareStreams = 0

process.on('message', (request: OpenStreams) => void openAll(request))

async function openAll({ url, identity, kind, count }: OpenStreams): Promise<void> {
  const names: string[] = []
  const client = createHttpClient(url, maxConcurrentOpens)
  // IPC sends JSON, which has no bigint.
  const report = () => process.send!({ receivedAt: String(process.hrtime.bigint()) } satisfies HolderMessage)
  let started = 0
  const openUntilEnough = async (): Promise<void> => {
    while (started < count) {
      started++
      if (kind === 'mcp') {
        const sessionId = await openSession(client, identity)
        await openStream(`${url}/mcp`, { ...identity, 'mcp-session-id': sessionId }, agent, report)
        names.push(sessionId)
      } else {
        const name = String(bareStreams++)
        await openStream(`${url}/${name}`, identity, agent, report)
        names.push(name)
      }
    }
  }
  await Promise.all(Array.from({ length: maxConcurrentOpens }, openUntilEnough))
  client.close()
  process.send!({ opened: names } satisfies HolderMessage)
}
