import {
  type Kysely,
  type Migration,
  type MigrationResult,
  type MigrationResultSet,
  Migrator,
  sql,
} from 'kysely'
import type { Logger } from '../../lib/logger.ts'
import { StartError } from '../../lib/start-error.ts'
import * as initialSchema from './migrations/001-initial-schema.ts'
import * as oauth from './migrations/002-oauth.ts'
import * as singleSignOn from './migrations/003-single-sign-on.ts'
import * as securitySettings from './migrations/004-security-settings.ts'
import * as conversation from './migrations/005-conversation.ts'
import * as edits from './migrations/006-edits.ts'
import * as draftRevisions from './migrations/007-draft-revisions.ts'
import * as review from './migrations/008-review.ts'
import * as workingTogether from './migrations/009-working-together.ts'
import * as time from './migrations/010-time.ts'
import * as views from './migrations/011-views.ts'
import * as snoozes from './migrations/012-snoozes.ts'
import * as answeredInTime from './migrations/013-answered-in-time.ts'
import * as bulkAnswers from './migrations/014-bulk-answers.ts'
import * as actionOutcomes from './migrations/015-action-outcomes.ts'
import * as analysisResults from './migrations/016-analysis-results.ts'
import * as rules from './migrations/017-rules.ts'
import * as statisticsIndexes from './migrations/018-statistics-indexes.ts'
import * as notifications from './migrations/019-notifications.ts'
import * as mcpSessionEnds from './migrations/020-mcp-session-ends.ts'
import * as oneCurrentSecret from './migrations/021-one-current-secret.ts'
import * as analysisResultNames from './migrations/022-analysis-result-names.ts'
import * as heldNotificationReason from './migrations/023-held-notification-reason.ts'
import * as oneCurrentWebhookSecret from './migrations/024-one-current-webhook-secret.ts'
import * as columnNames from './migrations/025-column-names.ts'
import { preReleaseMigrations } from './migrations/pre-release/chain.ts'
import type { RoleMode } from './role-mode.ts'
import type { Schema } from './schema.ts'

/** In the order they run. The names are stored in the database, and released migrations never change. */
const migrations: Record<string, Migration> = {
  '001-initial-schema': initialSchema,
  '002-oauth': oauth,
  '003-single-sign-on': singleSignOn,
  '004-security-settings': securitySettings,
  '005-conversation': conversation,
  '006-edits': edits,
  '007-draft-revisions': draftRevisions,
  '008-review': review,
  '009-working-together': workingTogether,
  '010-time': time,
  '011-views': views,
  '012-snoozes': snoozes,
  '013-answered-in-time': answeredInTime,
  '014-bulk-answers': bulkAnswers,
  '015-action-outcomes': actionOutcomes,
  '016-analysis-results': analysisResults,
  '017-rules': rules,
  '018-statistics-indexes': statisticsIndexes,
  '019-notifications': notifications,
  '020-mcp-session-ends': mcpSessionEnds,
  '021-one-current-secret': oneCurrentSecret,
  '022-analysis-result-names': analysisResultNames,
  '023-held-notification-reason': heldNotificationReason,
  '024-one-current-webhook-secret': oneCurrentWebhookSecret,
  '025-column-names': columnNames,
}

const [initialName] = Object.keys(migrations)

// An arbitrary, unique key for the advisory lock under which one node migrates while the others
// wait.
export const migrationLock = 7_268_413_002

/**
 * Runs migrations, creates roles and policies and, after a restore, raises the event log's epoch,
 * under a lock for all nodes. `refusesPending`: throws if migrations or start-up SQL are pending.
 */
export async function migrate(
  db: Kysely<Schema>,
  { log, refusesPending }: { log: Logger; refusesPending: boolean },
  applyStartUpSql: (db: Kysely<Schema>, options: { refusesPending: boolean }) => Promise<RoleMode>,
): Promise<RoleMode> {
  return await db.connection().execute(async (connection) => {
    await requireSupportedServer(connection)
    await sql`SELECT pg_advisory_lock(${migrationLock})`.execute(connection)
    // Policies that are forced on the owner must not hide rows from migrations.
    await sql`SET handrail.crossing = on`.execute(connection)
    try {
      const applied = await readApplied(connection)
      refuseNewerDatabase(applied)
      if (refusesPending) refusePending(applied)
      // Operators want to see what an update did. On the first start every migration is new.
      const level = applied.length === 0 ? 'debug' : 'info'
      await migrateToLatest(connection, applied, {
        report: ({ migrationName, status }) => log[level]({ migration: migrationName, status }, 'migration'),
      })
      const mode = await applyStartUpSql(connection, { refusesPending })
      if (!refusesPending) await raiseEpochAfterRestore(connection)
      return mode
    } finally {
      await sql`SELECT pg_advisory_unlock(${migrationLock})`.execute(connection).catch(() => undefined)
    }
  })
}

/** The first of the applied migrations that this release does not know: a newer release ran it. */
export function findUnknownMigration(applied: string[]): string | undefined {
  const known = Object.keys(chainOf(applied))
  return applied.find((name, at) => known[at] !== name)
}

/** Migrates inside the caller's transaction, which holds the lock: up to `upTo`, by default to the latest. */
export async function migrateInTransaction(db: Kysely<Schema>, upTo?: string): Promise<void> {
  await requireSupportedServer(db)
  const options = { disableTransactions: true }
  if (upTo === undefined) await migrateToLatest(db, await readApplied(db), options)
  else await run(db, chainOf([upTo]), options, (migrator) => migrator.migrateTo(upTo))
}

type Options = { disableTransactions?: boolean; report?(result: MigrationResult): void }

/**
 * A database from before 0.2.0 runs the rest of its own migrations. Their result is that of the first
 * migration of the current chain, which is then recorded as applied.
 */
async function migrateToLatest(db: Kysely<Schema>, applied: string[], options: Options): Promise<void> {
  if (chainOf(applied) === preReleaseMigrations) {
    await run(db, preReleaseMigrations, options)
    await sql`
      WITH old AS (DELETE FROM migrations)
      INSERT INTO migrations (name, timestamp) VALUES (${initialName}, ${new Date().toISOString()})`.execute(
      db,
    )
  }
  // Kysely reads the whole catalog twice before it finds nothing to do, which is most of the work
  // of a start.
  if (!isCurrent(applied)) await run(db, migrations, options)
}

function isCurrent(applied: string[]): boolean {
  return applied.length === Object.keys(migrations).length && chainOf(applied) === migrations
}

/** The chain of migrations to which the applied ones belong. */
function chainOf(applied: string[]): Record<string, Migration> {
  return applied.some((name) => name in preReleaseMigrations) ? preReleaseMigrations : migrations
}

async function run(
  db: Kysely<Schema>,
  chain: Record<string, Migration>,
  { report, disableTransactions = false }: Options,
  work: (migrator: Migrator) => Promise<MigrationResultSet> = (migrator) => migrator.migrateToLatest(),
): Promise<void> {
  const migrator = new Migrator({
    db,
    provider: { getMigrations: async () => chain },
    migrationTableName: 'migrations',
    migrationLockTableName: 'migrations_lock',
    disableTransactions,
  })
  const { error, results = [] } = await work(migrator)
  for (const result of results) report?.(result)
  if (error) throw error
}

async function requireSupportedServer(db: Kysely<Schema>): Promise<void> {
  const { rows } = await sql<{ version: number; encoding: string }>`
    SELECT current_setting('server_version_num')::int AS version, current_setting('server_encoding') AS encoding`.execute(
    db,
  )
  const { version, encoding } = rows[0]!
  if (version < 150_000)
    throw new StartError(
      `PostgreSQL 15 or newer is required, but this server is version ${Math.floor(version / 10_000)}. Upgrade it, or unset DATABASE_URL to use the private PostgreSQL.`,
    )
  // SQL_ASCII stores the bytes as they are.
  if (encoding !== 'UTF8' && encoding !== 'SQL_ASCII')
    throw new StartError(
      `The database has the encoding ${encoding}, which cannot store every text. Create one with ENCODING 'UTF8' TEMPLATE template0.`,
    )
}

/** Names of the applied migrations, in their order. */
async function readApplied(db: Kysely<Schema>): Promise<string[]> {
  const { rows: tables } = await sql`SELECT WHERE to_regclass('migrations') IS NOT NULL`.execute(db)
  if (tables.length === 0) return []
  const { rows } = await sql<{ name: string }>`SELECT name FROM migrations ORDER BY name`.execute(db)
  return rows.map(({ name }) => name)
}

function refuseNewerDatabase(applied: string[]): void {
  const unknown = findUnknownMigration(applied)
  if (unknown === undefined) return
  throw new StartError(
    `This database was migrated by a newer Handrail (${unknown}). Start that version or a later one.`,
  )
}

function refusePending(applied: string[]): void {
  if (isCurrent(applied)) return
  const reason = applied.length === 0 ? 'contains no Handrail data' : 'is older than this release'
  throw new StartError(
    `The database ${reason}: migrations are pending. Start Handrail, or run handrail migrate.`,
  )
}

/**
 * Transaction ids and timelines start over in another cluster. If the newest stored event is not
 * before the next one to be written, the database was restored, and a higher epoch sorts new events
 * after it.
 */
async function raiseEpochAfterRestore(db: Kysely<Schema>): Promise<void> {
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
