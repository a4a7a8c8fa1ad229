import { setTimeout as sleep } from 'node:timers/promises'
import { Redis } from '@upstash/redis'
import type { Logger } from '../lib/logger.ts'
import { issuedAtOf } from '../lib/mcp-session-id.ts'
import {
  clockMarginSeconds,
  type McpSessionStore,
  maxRecipients,
  mcpSessionSeconds,
  messageSeconds,
  messagesPerRead,
  type SessionMessage,
  streamSeconds,
  useSeconds,
} from '../lib/mcp-session-store.ts'
import {
  appendMessageScript,
  endSessionScript,
  heldStreamsScript,
  isOpenScript,
  markWrittenScript,
  readMessagesScript,
  releaseStreamScript,
  renewStreamScript,
  takeStreamScript,
} from './kv-scripts.ts'
import { createKvWakeUps } from './kv-wake-ups.ts'

const timeoutMilliseconds = 5_000

/**
 * A hash: the numbers of the last message and of the last one written to a stream, or that the
 * session has ended.
 */
const sessionKey = (id: string) => `handrail:mcp:session:${id}`
/** A sorted set: the messages of the session's log, by number. */
const messagesKey = (id: string) => `handrail:mcp:messages:${id}`
/** Exists if this event was appended to the session's log. */
const appendedKey = (id: string, eventId: string) => `handrail:mcp:appended:${id}:${eventId}`
/** The token of the stream that holds the session. */
const streamKey = (id: string) => `handrail:mcp:stream:${id}`
/** A set: the sessions of an API key or grant that have a stream. */
const streamingKey = (keyId: string) => `handrail:mcp:streaming:${keyId}`

/**
 * MCP sessions in a key-value store that speaks the Upstash REST protocol: for an MCP server
 * without a database.
 */
export function createKvSessions(url: string, token: string, log: Logger): McpSessionStore {
  const redis = new Redis({
    url,
    token,
    automaticDeserialization: false,
    enableTelemetry: false,
    retry: { retries: 2 },
    signal: () => AbortSignal.timeout(timeoutMilliseconds),
  })
  redis.use((request, send) => send<never>(request).catch(withoutCommand))
  const wakeUps = createKvWakeUps({
    url,
    token,
    log,
    publish: (channel, text) => redis.publish(channel, text),
  })

  return {
    kind: 'kv',

    async isOpen({ sessionId }) {
      const isOpen = await run<number>(
        isOpenScript,
        [sessionKey(sessionId)],
        [secondsLeft(sessionId), mcpSessionSeconds, useSeconds],
      )
      return isOpen === 1
    },

    async end({ sessionId, keyId }) {
      await run(
        endSessionScript,
        [sessionKey(sessionId), messagesKey(sessionId), streamKey(sessionId), streamingKey(keyId)],
        [Math.max(mcpSessionSeconds, secondsLeft(sessionId)) + clockMarginSeconds, sessionId],
      )
      await wakeUps.announce(sessionId)
    },

    async append({ sessionId }, eventId, message) {
      await run(
        appendMessageScript,
        [sessionKey(sessionId), messagesKey(sessionId), appendedKey(sessionId, eventId)],
        [secondsLeft(sessionId), messageSeconds, nowSeconds(), message],
      )
      await wakeUps.announce(sessionId)
    },

    async takeStream({ sessionId, keyId, token: holder }) {
      const taken = await run<[last: string, written: string, wasStored: number] | null>(
        takeStreamScript,
        [sessionKey(sessionId), streamKey(sessionId), streamingKey(keyId)],
        [secondsLeft(sessionId), mcpSessionSeconds, holder, streamSeconds, sessionId],
      )
      if (taken === null) return undefined
      const [last, written, wasStored] = taken
      // A session that was not stored has no older stream.
      if (wasStored) await wakeUps.announce(sessionId)
      return { last: Number(last), written: Number(written) }
    },

    async read({ sessionId, token: holder }, after) {
      const found = await run<string[] | null>(
        readMessagesScript,
        [streamKey(sessionId), messagesKey(sessionId)],
        [holder, after, nowSeconds() - messageSeconds, messagesPerRead],
      )
      return found?.map(parseMessage)
    },

    async markWritten(sessionId, number) {
      await run(markWrittenScript, [sessionKey(sessionId)], [number])
    },

    async renewStreams(streams) {
      if (streams.length === 0) return new Map()
      const pipeline = redis.pipeline()
      for (const { sessionId, keyId, token: holder } of streams) {
        pipeline.eval(
          renewStreamScript,
          [streamKey(sessionId), sessionKey(sessionId), streamingKey(keyId)],
          [holder, String(streamSeconds), String(mcpSessionSeconds)],
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

    async releaseStream({ sessionId, keyId, token: holder }) {
      await run(releaseStreamScript, [streamKey(sessionId), streamingKey(keyId)], [holder, sessionId])
    },

    streamingSessions: (keyId, preferred) => findStreamingSessions(redis, keyId, preferred),

    listen: wakeUps.listen,
    wake: wakeUps.announce,

    async isHealthy() {
      const isReachable = redis.ping().then(
        () => true,
        () => false,
      )
      return await Promise.race([isReachable, sleep(2_000, false, { ref: false })])
    },

    async close() {
      wakeUps.close()
    },
  }

  function run<Result>(script: string, keys: string[], args: (string | number)[]): Promise<Result> {
    return redis.eval<string[], Result>(script, keys, args.map(String))
  }
}

/**
 * The preferred session alone, if it has an open stream. Otherwise the sessions of the key that have
 * one, at most `maxRecipients`.
 */
async function findStreamingSessions(redis: Redis, keyId: string, preferred?: string): Promise<string[]> {
  if (preferred !== undefined) {
    const [isHeld, isOfKey] = await redis
      .pipeline()
      .exists(streamKey(preferred))
      .sismember(streamingKey(keyId), preferred)
      .exec<[number, number]>()
    if (isHeld === 1 && isOfKey === 1) return [preferred]
  }
  const ids = await redis.smembers<string[]>(streamingKey(keyId))
  if (ids.length === 0) return []
  const keys = [streamingKey(keyId), ...ids.map(streamKey)]
  const held = await redis.eval<string[], string[]>(heldStreamsScript, keys, ids)
  return held.slice(0, maxRecipients)
}

/**
 * Removes the commands from the message of an error. Upstash adds all commands of the request, and
 * that of an appended message contains what a person answered.
 */
function withoutCommand(error: unknown): never {
  if (!(error instanceof Error)) throw error
  const [message, command] = error.message.split(', command was:')
  throw command === undefined ? error : new Error(message)
}

function parseMessage(entry: string): SessionMessage {
  const [, number, message] = /^(\d+):\d+:(.*)$/s.exec(entry)!
  return { number: Number(number), message: message! }
}

function nowSeconds(): number {
  return Math.floor(Date.now() / 1000)
}

/** The seconds until an unstored session expires, counted from when it was opened. */
function secondsLeft(sessionId: string): number {
  return Math.ceil(issuedAtOf(sessionId) / 1000) + mcpSessionSeconds - nowSeconds()
}
