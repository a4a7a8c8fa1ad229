import { setTimeout as sleep } from 'node:timers/promises'
import { Redis } from '@upstash/redis'
import type { Logger } from '../lib/logger.ts'
import {
  messagesPerRead,
  mostRecipients,
  type SessionMessage,
  type SessionStore,
  sessionSeconds,
  streamSeconds,
} from '../lib/session-store.ts'
import { createKvWakes } from './kv-wake-ups.ts'

const patienceMilliseconds = 5_000

const session = (id: string) => `handrail:mcp:session:${id}`
const messages = (id: string) => `handrail:mcp:messages:${id}`
const told = (id: string, eventId: string) => `handrail:mcp:told:${id}:${eventId}`
const stream = (id: string) => `handrail:mcp:stream:${id}`
const streaming = (keyId: string) => `handrail:mcp:streaming:${keyId}`

// Scripts, because each of these is one step: whichever nodes are at it, a number is given once and a stream has one holder.

const findScript = `
local found = redis.call('HMGET', KEYS[1], 'workspaceId', 'keyId', 'protocolVersion')
if found[1] then redis.call('EXPIRE', KEYS[1], ARGV[1]) end
return found`

/** A message is kept as <number>:<seconds since 1970>:<text>; those that are too old go when another comes. */
const appendScript = `
if redis.call('EXISTS', KEYS[1]) == 0 then return 0 end
if not redis.call('SET', KEYS[3], 1, 'NX', 'EX', ARGV[1]) then return 0 end
local now = tonumber(ARGV[2])
local oldest = redis.call('ZRANGE', KEYS[2], 0, 0)[1]
while oldest and tonumber(string.match(oldest, '^%d+:(%d+):')) < now - tonumber(ARGV[1]) do
  redis.call('ZREM', KEYS[2], oldest)
  oldest = redis.call('ZRANGE', KEYS[2], 0, 0)[1]
end
local number = redis.call('HINCRBY', KEYS[1], 'last', 1)
redis.call('ZADD', KEYS[2], number, number .. ':' .. now .. ':' .. ARGV[3])
redis.call('EXPIRE', KEYS[2], ARGV[1])
return number`

const takeScript = `
if redis.call('EXISTS', KEYS[1]) == 0 then return false end
redis.call('SET', KEYS[2], ARGV[1], 'EX', ARGV[2])
redis.call('SADD', KEYS[3], ARGV[3])
redis.call('EXPIRE', KEYS[3], ARGV[4])
return redis.call('HMGET', KEYS[1], 'last', 'written')`

const readScript = `
if redis.call('GET', KEYS[1]) ~= ARGV[1] then return false end
local page = {}
for _, entry in ipairs(redis.call('ZRANGE', KEYS[2], '(' .. ARGV[2], '+inf', 'BYSCORE')) do
  if tonumber(string.match(entry, '^%d+:(%d+):')) > tonumber(ARGV[3]) then page[#page + 1] = entry end
  if #page == tonumber(ARGV[4]) then break end
end
return page`

const markScript = `
local written = tonumber(redis.call('HGET', KEYS[1], 'written'))
if written and written < tonumber(ARGV[1]) then redis.call('HSET', KEYS[1], 'written', ARGV[1]) end
return 1`

const renewScript = `
if redis.call('GET', KEYS[1]) ~= ARGV[1] then return false end
redis.call('EXPIRE', KEYS[1], ARGV[2])
redis.call('EXPIRE', KEYS[2], ARGV[3])
redis.call('EXPIRE', KEYS[3], ARGV[3])
return redis.call('HGET', KEYS[2], 'last')`

const leaveScript = `
if redis.call('GET', KEYS[1]) ~= ARGV[1] then return 0 end
redis.call('DEL', KEYS[1])
redis.call('SREM', KEYS[2], ARGV[2])
return 1`

/** MCP sessions in a key-value store that speaks the Upstash REST protocol: for an MCP server without a database. */
export function createKvSessions(url: string, token: string, log: Logger): SessionStore {
  const redis = new Redis({
    url,
    token,
    automaticDeserialization: false,
    enableTelemetry: false,
    retry: { retries: 2 },
    signal: () => AbortSignal.timeout(patienceMilliseconds),
  })
  const wakeUps = createKvWakes({
    url,
    token,
    log,
    publish: (channel, text) => redis.publish(channel, text),
  })

  return {
    place: 'kv',

    async create({ sessionId, ...fields }) {
      await redis
        .multi()
        .hset(session(sessionId), { ...fields, last: '0', written: '0' })
        .expire(session(sessionId), sessionSeconds)
        .exec()
    },

    async find(sessionId) {
      const [workspaceId, keyId, protocolVersion] = await run<(string | null)[]>(
        findScript,
        [session(sessionId)],
        [sessionSeconds],
      )
      if (!workspaceId || !keyId || !protocolVersion) return undefined
      return { sessionId, workspaceId, keyId, protocolVersion }
    },

    async end(sessionId) {
      await redis.del(session(sessionId), messages(sessionId), stream(sessionId))
      await wakeUps.announce(sessionId)
    },

    async append(sessionId, eventId, message) {
      await run(
        appendScript,
        [session(sessionId), messages(sessionId), told(sessionId, eventId)],
        [sessionSeconds, nowSeconds(), message],
      )
      await wakeUps.announce(sessionId)
    },

    async takeStream({ sessionId, keyId, token: holder }) {
      const taken = await run<string[] | null>(
        takeScript,
        [session(sessionId), stream(sessionId), streaming(keyId)],
        [holder, streamSeconds, sessionId, sessionSeconds],
      )
      await wakeUps.announce(sessionId)
      return taken === null ? undefined : { last: Number(taken[0]), written: Number(taken[1]) }
    },

    async read({ sessionId, token: holder }, after) {
      const found = await run<string[] | null>(
        readScript,
        [stream(sessionId), messages(sessionId)],
        [holder, after, nowSeconds() - sessionSeconds, messagesPerRead],
      )
      return found?.map(parseMessage)
    },

    async markWritten(sessionId, number) {
      await run(markScript, [session(sessionId)], [number])
    },

    async renewStreams(streams) {
      if (streams.length === 0) return new Map()
      const pipeline = redis.pipeline()
      for (const { sessionId, keyId, token: holder } of streams) {
        pipeline.eval(
          renewScript,
          [stream(sessionId), session(sessionId), streaming(keyId)],
          [holder, String(streamSeconds), String(sessionSeconds)],
        )
      }
      const lasts = await pipeline.exec<(string | null)[]>()
      return new Map(
        streams.flatMap(({ sessionId }, index) => {
          const last = lasts[index] ?? null
          return last === null ? [] : [[sessionId, Number(last)] as const]
        }),
      )
    },

    async leaveStream({ sessionId, keyId, token: holder }) {
      await run(leaveScript, [stream(sessionId), streaming(keyId)], [holder, sessionId])
    },

    async streamingSessions(keyId, preferred) {
      if (preferred !== undefined) {
        const [isHeld, isOfKey] = await redis
          .pipeline()
          .exists(stream(preferred))
          .sismember(streaming(keyId), preferred)
          .exec<[number, number]>()
        if (isHeld === 1 && isOfKey === 1) return [preferred]
      }
      const ids = await redis.smembers<string[]>(streaming(keyId))
      if (ids.length === 0) return []
      const holders = await redis.mget<(string | null)[]>(ids.map(stream))
      const gone = ids.filter((_, index) => holders[index] === null)
      // A node that was killed did not sign its streams off.
      if (gone.length > 0) await redis.srem(streaming(keyId), ...gone)
      return ids.filter((_, index) => holders[index] !== null).slice(0, mostRecipients)
    },

    listen: wakeUps.listen,
    wake: wakeUps.announce,

    async isWell() {
      const answered = redis.ping().then(
        () => true,
        () => false,
      )
      return await Promise.race([answered, sleep(2_000, false, { ref: false })])
    },

    async close() {
      wakeUps.close()
    },
  }

  function run<Result>(script: string, keys: string[], args: (string | number)[]): Promise<Result> {
    return redis.eval<string[], Result>(script, keys, args.map(String))
  }
}

function parseMessage(entry: string): SessionMessage {
  const [, number, message] = /^(\d+):\d+:(.*)$/s.exec(entry)!
  return { number: Number(number), message: message! }
}

function nowSeconds(): number {
  return Math.floor(Date.now() / 1000)
}
