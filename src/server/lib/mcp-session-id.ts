import { createHmac, hkdfSync, randomBytes } from 'node:crypto'
import { sameText } from './same-text.ts'

/** Whose session it is: an API key or the grant of a connected app. */
export type SessionOwner = { workspaceId: string; keyId: string }

/** Where the rows of sessions are stored. */
export type SessionStoreKind = 'database' | 'kv'

/** What the client said in `initialize` that later requests need. */
type SessionTraits = { showsCards: boolean; hasBatches: boolean }

/**
 * A session of an MCP client of the session protocol (versions up to 2025-11-25). It is no proof of
 * identity; the key is, on every request.
 */
export type McpSession = SessionOwner & SessionTraits & { sessionId: string }

export type SessionIds = ReturnType<typeof createSessionIds>

const kvPrefix = 'kv-'
// 1 byte of traits, 6 of the time in milliseconds, 11 random ones; then 12 bytes of the signature.
// In base64url these are 24 and 16 characters.
const payloadBytes = 18
const format = /^(?:kv-)?([\w-]{24})[\w-]{16}$/
const cardsBit = 1
const batchesBit = 2

/**
 * The id is the session: its traits and its time of issue, signed together with its owner. So
 * opening a session stores nothing, and an id that was altered, made up or issued to another key is
 * unknown on every node.
 */
export function createSessionIds(secret: string) {
  const key = Buffer.from(hkdfSync('sha256', secret, '', 'handrail mcp session', 32))

  function sign(unsigned: string, { workspaceId, keyId }: SessionOwner): string {
    const signature = createHmac('sha256', key).update(`${unsigned} ${workspaceId} ${keyId}`).digest()
    return unsigned + signature.toString('base64url', 0, 12)
  }

  return {
    issue(kind: SessionStoreKind, { workspaceId, keyId }: SessionOwner, traits: SessionTraits): McpSession {
      const payload = randomBytes(payloadBytes)
      payload[0] = (traits.showsCards ? cardsBit : 0) | (traits.hasBatches ? batchesBit : 0)
      payload.writeUIntBE(Date.now(), 1, 6)
      const unsigned = (kind === 'kv' ? kvPrefix : '') + payload.toString('base64url')
      return { workspaceId, keyId, ...traits, sessionId: sign(unsigned, { workspaceId, keyId }) }
    },

    /** undefined unless the id was issued to this owner. The session may have ended or expired since. */
    read(sessionId: string, { workspaceId, keyId }: SessionOwner): McpSession | undefined {
      const payload = payloadOf(sessionId)
      if (!payload || !sameText(sessionId, sign(sessionId.slice(0, -16), { workspaceId, keyId })))
        return undefined
      const traits = payload[0]!
      return {
        sessionId,
        workspaceId,
        keyId,
        showsCards: (traits & cardsBit) !== 0,
        hasBatches: (traits & batchesBit) !== 0,
      }
    },
  }
}

/**
 * Which store has the session. The id says so, so that every process can tell whether its pushes
 * reach the session.
 */
export function storeKindOf(sessionId: string): SessionStoreKind {
  return sessionId.startsWith(kvPrefix) ? 'kv' : 'database'
}

/**
 * In milliseconds since 1970. 0 if the id is malformed, such as those of version 0.1, which are no
 * longer valid.
 */
export function issuedAtOf(sessionId: string): number {
  return payloadOf(sessionId)?.readUIntBE(1, 6) ?? 0
}

function payloadOf(sessionId: string): Buffer | undefined {
  const text = format.exec(sessionId)?.[1]
  return text === undefined ? undefined : Buffer.from(text, 'base64url')
}
