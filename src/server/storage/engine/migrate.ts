import { type Kysely, type Migration, Migrator, sql } from 'kysely'
import type { Logger } from '../../lib/logger.ts'
import { StartError } from '../../lib/start-error.ts'
import * as initialSchema from './migrations/001-ground-floor.ts'
import * as mcpSessions from './migrations/002-mcp-sessions.ts'
import * as deliveries from './migrations/003-deliveries.ts'
import * as inboxFilters from './migrations/004-inbox-filters.ts'
import * as feedback from './migrations/005-feedback.ts'
import * as notifications from './migrations/006-notifications.ts'
import * as retention from './migrations/007-retention.ts'
import * as people from './migrations/008-people.ts'
import * as auditChain from './migrations/009-audit-chain.ts'
import * as endings from './migrations/010-endings.ts'
import * as newestByType from './migrations/011-newest-of-a-type.ts'
import * as batchedEndings from './migrations/012-endings-together.ts'
import * as viaAndSignedHeads from './migrations/013-via-and-signed-heads.ts'
import * as identity from './migrations/014-identity.ts'
import * as eventPruning from './migrations/015-event-pruning.ts'
import * as timelineEpoch from './migrations/016-epoch-of-a-timeline.ts'
import * as trace from './migrations/017-trace.ts'
import * as versionStarts from './migrations/018-versions-began.ts'
import * as sentOptions from './migrations/019-sent-options.ts'
import * as multipleResetLinks from './migrations/020-several-reset-links.ts'
import * as oneIndexPerType from './migrations/021-one-index-per-type.ts'
import type { RoleMode } from './role-mode.ts'
import type { Schema } from './schema.ts'

/** In the order they run. The names are stored in the database, and released migrations never change. */
const migrations: Record<string, Migration> = {
  '001-ground-floor': initialSchema,
  '002-mcp-sessions': mcpSessions,
  '003-deliveries': deliveries,
  '004-inbox-filters': inboxFilters,
  '005-feedback': feedback,
  '006-notifications': notifications,
  '007-retention': retention,
  '008-people': people,
  '009-audit-chain': auditChain,
  '010-endings': endings,
  '011-newest-of-a-type': newestByType,
  '012-endings-together': batchedEndings,
  '013-via-and-signed-heads': viaAndSignedHeads,
  '014-identity': identity,
  '015-event-pruning': eventPruning,
  '016-epoch-of-a-timeline': timelineEpoch,
  '017-trace': trace,
  '018-versions-began': versionStarts,
  '019-sent-options': sentOptions,
  '020-several-reset-links': multipleResetLinks,
  '021-one-index-per-type': oneIndexPerType,
}

const migrationNames = Object.keys(migrations)

// An arbitrary, unique key for the advisory lock under which one node migrates while the others wait.
export const migrationLock = 7_268_413_002

/** Runs migrations, creates roles and policies and raises the event log's epoch, under a lock for all nodes. */
export async function migrate(
  db: Kysely<Schema>,
  log: Logger,
  secureRows: (db: Kysely<Schema>) => Promise<RoleMode>,
): Promise<RoleMode> {
  return await db.connection().execute(async (connection) => {
    await requireSupportedServer(connection)
    await sql`SELECT pg_advisory_lock(${migrationLock})`.execute(connection)
    // Policies that are forced on the owner must not hide rows from migrations.
    await sql`SET handrail.crossing = on`.execute(connection)
    try {
      await refuseNewerDatabase(connection)
      const { error, results = [] } = await migratorOn(connection).migrateToLatest()
      // Operators want to see what an update did. On the first start every migration is new.
      const level = results.length === migrationNames.length ? 'debug' : 'info'
      for (const { migrationName, status } of results)
        log[level]({ migration: migrationName, status }, 'migration')
      if (error) throw error
      const mode = await secureRows(connection)
      await raiseEpoch(connection)
      return mode
    } finally {
      await sql`SELECT pg_advisory_unlock(${migrationLock})`.execute(connection).catch(() => undefined)
    }
  })
}

/** The first of the applied migrations that this release does not know: a newer release ran it. */
export function findUnknownMigration(names: string[]): string | undefined {
  return names.find((name, at) => migrationNames[at] !== name)
}

/** Migrates inside the caller's transaction, which holds the lock: up to `upTo`, by default to the latest. */
export async function migrateInTransaction(db: Kysely<Schema>, upTo = migrationNames.at(-1)!): Promise<void> {
  await requireSupportedServer(db)
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

async function requireSupportedServer(db: Kysely<Schema>): Promise<void> {
  const { rows } = await sql<{
    version: number
  }>`SELECT current_setting('server_version_num')::int AS version`.execute(db)
  const version = rows[0]!.version
  if (version < 150_000)
    throw new StartError(
      `PostgreSQL 15 or newer is required, but this server is version ${Math.floor(version / 10_000)}.`,
    )
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
 * Transaction ids and timelines start over in another cluster. If the newest stored event is not before
 * the next one to be written, the database was restored, and a higher epoch sorts new events after it.
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
