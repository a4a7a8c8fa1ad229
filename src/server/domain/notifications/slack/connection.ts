import { open } from '../../../lib/sealed-text.ts'
import { perDatabase } from '../../../storage/engine/per-database.ts'
import { findSlackConnection, slackConnectionChanged } from '../../../storage/notifications/slack.ts'
import type { Service } from '../../service.ts'

/** What is needed to check requests from Slack and to call its API. */
export type SlackConnection = { teamId: string; token: string; signingSecret: string }

// Connections are cached, because a click must be checked within three seconds, even while the
// database is slow. Every process is notified of changes; the lifetime limits the effect of a lost
// wake-up.
const lifetimeMilliseconds = 30_000
const maxCached = 1_000

type Cached = { connection: SlackConnection | undefined; readAt: number }

/** `version`: how many changes of connections this process has been notified of. */
const cacheOf = perDatabase(({ wakeUps }) => {
  const cache = { byWorkspace: new Map<string, Cached>(), version: 0 }
  wakeUps.listen(slackConnectionChanged, () => {
    cache.byWorkspace.clear()
    cache.version++
  })
  return cache
})

/** undefined: the workspace is not connected to Slack. */
export async function findConnection(
  { database, secrets }: Service,
  workspaceId: string,
): Promise<SlackConnection | undefined> {
  const cache = cacheOf(database)
  const known = cache.byWorkspace.get(workspaceId)
  if (isFresh(known)) return known.connection
  const { version } = cache
  const readAt = Date.now()
  const row = await database.inWorkspace(workspaceId, findSlackConnection)
  const reveal = (sealed: string) => open(sealed, secrets.encryptionKey, workspaceId)
  const connection = row && {
    teamId: row.teamId,
    token: reveal(row.sealedToken),
    signingSecret: reveal(row.sealedSigningSecret),
  }
  // A connection has changed meanwhile. If it was this one, an outdated one may have been read, so
  // it is not cached.
  if (cache.version !== version) return connection
  if (cache.byWorkspace.size >= maxCached) cache.byWorkspace.clear()
  cache.byWorkspace.set(workspaceId, { connection, readAt })
  return connection
}

/** Whether `findConnection` would use the cache. */
export function isConnectionKnown({ database }: Service, workspaceId: string): boolean {
  return isFresh(cacheOf(database).byWorkspace.get(workspaceId))
}

function isFresh(known: Cached | undefined): known is Cached {
  return known !== undefined && Date.now() - known.readAt < lifetimeMilliseconds
}
