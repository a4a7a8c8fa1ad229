import { open } from '../../../lib/sealed-text.ts'
import type { Database } from '../../../storage/engine/database.ts'
import { findSlackConnection, slackConnectionChanged } from '../../../storage/notifications/slack.ts'
import type { Service } from '../../service.ts'

/** What is needed to check a request of Slack and to call it. */
export type SlackConnection = { teamId: string; token: string; signingSecret: string }

// A click must be checked within three seconds, also while the database is slow. Changes wake up every process; the
// lifetime is for a wake-up that was lost.
const lifetimeMilliseconds = 30_000
const maxCached = 1_000

type Cached = { connection: SlackConnection | undefined; readAt: number }
/** `version`: how often a connection has changed. */
type Cache = { byWorkspace: Map<string, Cached>; version: number }
const caches = new WeakMap<Database, Cache>()

/** undefined: the workspace is not connected to Slack. */
export async function findConnection(
  { database, secrets }: Service,
  workspaceId: string,
): Promise<SlackConnection | undefined> {
  const cache = cacheOf(database)
  const known = cache.byWorkspace.get(workspaceId)
  if (known && Date.now() - known.readAt < lifetimeMilliseconds) return known.connection
  const { version } = cache
  const readAt = Date.now()
  const row = await database.inWorkspace(workspaceId, findSlackConnection)
  const reveal = (sealed: string) => open(sealed, secrets.encryptionKey, workspaceId)
  const connection = row && {
    teamId: row.teamId,
    token: reveal(row.sealedToken),
    signingSecret: reveal(row.sealedSigningSecret),
  }
  // Changed while it was read: it may be the earlier one.
  if (cache.version !== version) return connection
  if (cache.byWorkspace.size >= maxCached) cache.byWorkspace.clear()
  cache.byWorkspace.set(workspaceId, { connection, readAt })
  return connection
}

/** Whether the next lookup needs no database. */
export function isConnectionKnown({ database }: Service, workspaceId: string): boolean {
  const known = cacheOf(database).byWorkspace.get(workspaceId)
  return known !== undefined && Date.now() - known.readAt < lifetimeMilliseconds
}

function cacheOf(database: Database): Cache {
  const existing = caches.get(database)
  if (existing) return existing
  const cache: Cache = { byWorkspace: new Map(), version: 0 }
  caches.set(database, cache)
  database.wakeUps.listen(slackConnectionChanged, () => {
    cache.byWorkspace.clear()
    cache.version++
  })
  return cache
}
