import { Redis } from '@upstash/redis'
import type { Logger } from '../lib/logger.ts'
import { type McpSession, type SessionStore, sessionSeconds, streamSeconds } from '../lib/session-store.ts'

// One channel for all nodes: a subscription a session would be a connection a session.
const channel = 'handrail:mcp:wake'
const reconnectMilliseconds = 1_000

const session = (id: string) => `handrail:mcp:session:${id}`
const messages = (id: string) => `handrail:mcp:messages:${id}`
const events = (id: string) => `handrail:mcp:events:${id}`
const stream = (id: string) => `handrail:mcp:stream:${id}`
const keyStreams = (keyId: string) => `handrail:mcp:streaming:${keyId}`

/** One step, so that a number is given once and an event is added once, whichever nodes are told of it. Answers 0: no session. */
const appendScript = `
if redis.call('EXISTS', KEYS[1]) == 0 then return 0 end
if redis.call('HSETNX', KEYS[3], ARGV[1], 1) == 1 then
  local number = redis.call('HINCRBY', KEYS[1], 'lastNumber', 1)
  redis.call('ZADD', KEYS[2], number, number .. ':' .. ARGV[2])
  redis.call('EXPIRE', KEYS[2], ARGV[3])
  redis.call('EXPIRE', KEYS[3], ARGV[3])
end
return 1`

/** Deletes the stream only if it is still ours. */
const leaveScript = `
if redis.call('GET', KEYS[1]) == ARGV[1] then redis.call('DEL', KEYS[1]) end
return 1`

/** Renews a stream only if nobody took it meanwhile: the newest wins. */
const renewScript = `
if redis.call('GET', KEYS[1]) ~= ARGV[1] then return 0 end
redis.call('EXPIRE', KEYS[1], ARGV[2])
redis.call('EXPIRE', KEYS[2], ARGV[3])
redis.call('ZADD', KEYS[3], ARGV[4], ARGV[5])
return 1`

/** MCP sessions in a key-value store that speaks the Upstash REST protocol: for an MCP server without a database. */
export function createKvSessions(url: string, token: string, log: Logger): SessionStore {
  const redis = new Redis({
    url,
    token,
    automaticDeserialization: false,
    enableTelemetry: false,
    retry: { retries: 2 },
  })
  const listeners = new Map<string, Set<() => void>>()
  const owners = new Map<string, string>()
  const stop = new AbortController()
  void follow()

  const wake = async (sessionId: string) => {
    ring(sessionId)
    await redis.publish(channel, sessionId)
  }

  function ring(sessionId: string): void {
    for (const listener of [...(listeners.get(sessionId) ?? [])]) listener()
  }

  /** Reads the channel as server-sent events, again and again. After a break everyone looks: what was missed is unknown. */
  async function follow(): Promise<void> {
    while (!stop.signal.aborted) {
      try {
        const response = await fetch(`${url}/subscribe/${encodeURIComponent(channel)}`, {
          method: 'POST',
          headers: { authorization: `Bearer ${token}`, accept: 'text/event-stream' },
          signal: stop.signal,
        })
        if (!response.ok || !response.body) throw new Error(`the key-value store answers ${response.status}`)
        for (const sessionId of [...listeners.keys()]) ring(sessionId)
        for await (const line of lines(response.body)) {
          // data: message,<channel>,<text>
          const text = /^data: *message,[^,]*,(.*)$/.exec(line)?.[1]
          if (text) ring(text)
        }
      } catch (error) {
        if (stop.signal.aborted) return
        log.warn({ err: error }, 'the wake channel of the key-value store broke')
      }
      await new Promise((resolve) => setTimeout(resolve, reconnectMilliseconds))
    }
  }

  return {
    async create({ sessionId, ...fields }) {
      await redis.hset(session(sessionId), { ...fields, lastNumber: '0', writtenNumber: '0' })
      await redis.expire(session(sessionId), sessionSeconds)
    },

    async find(sessionId) {
      const [fields] = await redis
        .pipeline()
        .hgetall<Record<string, string>>(session(sessionId))
        .expire(session(sessionId), sessionSeconds)
        .exec<[Record<string, string> | null, number]>()
      if (!fields?.workspaceId) return undefined
      const { workspaceId, keyId, protocolVersion } = fields as Omit<McpSession, 'sessionId'>
      return { sessionId, workspaceId, keyId, protocolVersion }
    },

    async end(sessionId) {
      await redis.del(session(sessionId), messages(sessionId), events(sessionId), stream(sessionId))
      await wake(sessionId)
    },

    async append(sessionId, eventId, message) {
      const done = await redis.eval(
        appendScript,
        [session(sessionId), messages(sessionId), events(sessionId)],
        [eventId, message, String(sessionSeconds)],
      )
      if (Number(done) === 0) return false
      await wake(sessionId)
      return true
    },

    async read(sessionId, after) {
      const from = after ?? Number((await redis.hget<string>(session(sessionId), 'writtenNumber')) ?? 0)
      const found = await redis.zrange<string[]>(messages(sessionId), `(${from}`, '+inf', { byScore: true })
      return found.map((entry) => {
        const colon = entry.indexOf(':')
        return { number: Number(entry.slice(0, colon)), message: entry.slice(colon + 1) }
      })
    },

    async markWritten(sessionId, number) {
      if (await redis.exists(session(sessionId)))
        await redis.hset(session(sessionId), { writtenNumber: String(number) })
    },

    async takeStream(sessionId, streamToken) {
      const keyId = (await redis.hget<string>(session(sessionId), 'keyId')) ?? ''
      owners.set(sessionId, keyId)
      await redis.set(stream(sessionId), streamToken, { ex: streamSeconds })
      await redis.zadd(keyStreams(keyId), { score: nowSeconds(), member: sessionId })
      await redis.expire(keyStreams(keyId), sessionSeconds)
      await wake(sessionId)
    },

    async holdsStream(sessionId, streamToken) {
      return (await redis.get<string>(stream(sessionId))) === streamToken
    },

    async renewStreams(streams) {
      if (streams.length === 0) return
      const pipeline = redis.pipeline()
      for (const { sessionId, token: streamToken } of streams) {
        pipeline.eval(
          renewScript,
          [stream(sessionId), session(sessionId), keyStreams(owners.get(sessionId) ?? '')],
          [streamToken, String(streamSeconds), String(sessionSeconds), String(nowSeconds()), sessionId],
        )
      }
      await pipeline.exec()
    },

    async leaveStream(sessionId, streamToken) {
      await redis.eval(leaveScript, [stream(sessionId)], [streamToken])
      owners.delete(sessionId)
    },

    async streamingSessions(keyId) {
      const found = await redis.zrange<string[]>(keyStreams(keyId), nowSeconds() - streamSeconds, '+inf', {
        byScore: true,
      })
      const open = await Promise.all(
        found.map(async (sessionId) => Boolean(await redis.exists(stream(sessionId)))),
      )
      return found.filter((_, index) => open[index])
    },

    listen(sessionId, listener) {
      const set = listeners.get(sessionId) ?? new Set()
      listeners.set(sessionId, set.add(listener))
      return () => {
        set.delete(listener)
        if (set.size === 0 && listeners.get(sessionId) === set) listeners.delete(sessionId)
      }
    },

    async isWell() {
      return await redis.ping().then(
        () => true,
        () => false,
      )
    },

    async close() {
      stop.abort()
    },
  }
}

function nowSeconds(): number {
  return Math.floor(Date.now() / 1000)
}

async function* lines(body: ReadableStream<Uint8Array>): AsyncGenerator<string> {
  const decoder = new TextDecoder()
  let rest = ''
  for await (const chunk of body as unknown as AsyncIterable<Uint8Array>) {
    const parts = (rest + decoder.decode(chunk, { stream: true })).split('\n')
    rest = parts.pop() ?? ''
    yield* parts
  }
}
