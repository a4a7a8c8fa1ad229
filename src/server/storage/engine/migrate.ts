import { type Kysely, type Migration, Migrator, sql } from 'kysely'
import type { Logger } from '../../lib/logger.ts'
import { StartError } from '../../lib/start-error.ts'
import * as groundFloor from './migrations/001-ground-floor.ts'
import * as mcpSessions from './migrations/002-mcp-sessions.ts'
import * as deliveries from './migrations/003-deliveries.ts'
import * as inboxFilters from './migrations/004-inbox-filters.ts'
import * as feedback from './migrations/005-feedback.ts'
import * as notifications from './migrations/006-notifications.ts'
import * as retention from './migrations/007-retention.ts'
import * as people from './migrations/008-people.ts'
import * as auditChain from './migrations/009-audit-chain.ts'
import * as endings from './migrations/010-endings.ts'
import * as newestOfAType from './migrations/011-newest-of-a-type.ts'
import * as endingsTogether from './migrations/012-endings-together.ts'
import * as viaAndSignedHeads from './migrations/013-via-and-signed-heads.ts'
import * as identity from './migrations/014-identity.ts'
import * as eventPruning from './migrations/015-event-pruning.ts'
import * as epochOfATimeline from './migrations/016-epoch-of-a-timeline.ts'
import * as trace from './migrations/017-trace.ts'
import * as versionsBegan from './migrations/018-versions-began.ts'
import * as sentOptions from './migrations/019-sent-options.ts'
import * as severalResetLinks from './migrations/020-several-reset-links.ts'
import type { RoleMode } from './role-mode.ts'
import type { Schema } from './schema.ts'

/** In the order they run. A migration that has been released is never changed. */
const migrations: Record<string, Migration> = {
  '001-ground-floor': groundFloor,
  '002-mcp-sessions': mcpSessions,
  '003-deliveries': deliveries,
  '004-inbox-filters': inboxFilters,
  '005-feedback': feedback,
  '006-notifications': notifications,
  '007-retention': retention,
  '008-people': people,
  '009-audit-chain': auditChain,
  '010-endings': endings,
  '011-newest-of-a-type': newestOfAType,
  '012-endings-together': endingsTogether,
  '013-via-and-signed-heads': viaAndSignedHeads,
  '014-identity': identity,
  '015-event-pruning': eventPruning,
  '016-epoch-of-a-timeline': epochOfATimeline,
  '017-trace': trace,
  '018-versions-began': versionsBegan,
  '019-sent-options': sentOptions,
  '020-several-reset-links': severalResetLinks,
}

const migrationNames = Object.keys(migrations)

// Any number, as long as no one else uses it: it names the lock under which one node migrates while the others wait.
export const migrationLock = 7_268_413_002

/** Under one lock for all nodes: migrations, then roles and policies, then the epoch of the event log. */
export async function migrate(
  db: Kysely<Schema>,
  log: Logger,
  secureRows: (db: Kysely<Schema>) => Promise<RoleMode>,
): Promise<RoleMode> {
  return await db.connection().execute(async (holder) => {
    await refuseOldServer(holder)
    await sql`SELECT pg_advisory_lock(${migrationLock})`.execute(holder)
    // Where policies are forced on the owner, they must not hide rows from migrations.
    await sql`SET handrail.crossing = on`.execute(holder)
    try {
      await refuseNewerDatabase(holder)
      const { error, results = [] } = await migratorOn(holder).migrateToLatest()
      // An operator wants to know what an update did; to a first start all of it is new.
      const level = results.length === migrationNames.length ? 'debug' : 'info'
      for (const { migrationName, status } of results)
        log[level]({ migration: migrationName, status }, 'migration')
      if (error) throw error
      const mode = await secureRows(holder)
      await raiseEpoch(holder)
      return mode
    } finally {
      await sql`SELECT pg_advisory_unlock(${migrationLock})`.execute(holder).catch(() => undefined)
    }
  })
}

/** The first of these, in order, that this release does not have there: the work of a newer one. */
export function findUnknown(names: string[]): string | undefined {
  return names.find((name, at) => migrationNames[at] !== name)
}

/** Inside a transaction of the caller's, who holds the lock: to one migration, or else to the last. */
export async function migrateInside(db: Kysely<Schema>, upTo = migrationNames.at(-1)!): Promise<void> {
  await refuseOldServer(db)
  const { error } = await migratorOn(db, { disableTransactions: true }).migrateTo(upTo)
  if (error) throw error
}

function migratorOn(db: Kysely<Schema>, options: { disableTransactions?: boolean } = {}): Migrator {
  return new Migrator({
    db,
    provider: { getMigrations: async () => migrations },
    migrationTableName: 'migrations',
    migrationLockTableName: 'migrations_lock',
    ...options,
  })
}

async function refuseOldServer(db: Kysely<Schema>): Promise<void> {
  const { rows } = await sql<{
    version: number
  }>`SELECT current_setting('server_version_num')::int AS version`.execute(db)
  const version = rows[0]!.version
  if (version < 150_000)
    throw new StartError(`PostgreSQL 15 or newer is needed, this is ${Math.floor(version / 10_000)}.`)
}

async function refuseNewerDatabase(db: Kysely<Schema>): Promise<void> {
  const { rows: tables } = await sql`SELECT WHERE to_regclass('migrations') IS NOT NULL`.execute(db)
  if (tables.length === 0) return
  const { rows } = await sql<{ name: string }>`SELECT name FROM migrations ORDER BY name`.execute(db)
  const unknown = rows.map(({ name }) => name).filter((name) => !(name in migrations))
  if (unknown.length === 0) return
  throw new StartError(
    `This database was migrated by a newer Handrail (${unknown.join(', ')}). Start that version or a later one.`,
  )
}

/**
 * Transaction ids start again in another cluster, and so do timelines. Where the newest stored event is not before the next
 * one to be written, the database was restored from elsewhere, and a later epoch keeps new events behind the stored ones.
 */
async function raiseEpoch(db: Kysely<Schema>): Promise<void> {
  await sql`
    INSERT INTO service_facts (name, value) VALUES ('epoch', '1') ON CONFLICT (name) DO NOTHING`.execute(db)
  await sql`
    UPDATE service_facts SET value = (value::integer + newest.epoch + 1 - app_epoch())::text
    FROM (SELECT epoch, xid FROM events ORDER BY epoch DESC, xid DESC LIMIT 1) newest
    WHERE name = 'epoch'
      AND (newest.epoch, newest.xid) >= (app_epoch(), pg_snapshot_xmax(pg_current_snapshot())::text::bigint)`.execute(
    db,
  )
}
