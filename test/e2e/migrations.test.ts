import { afterAll, beforeAll, describe, expect, inject, onTestFinished, test } from 'vitest'
import { kyselyForClient } from '../../src/server/storage/engine/database.ts'
import { migrateInTransaction } from '../../src/server/storage/engine/migrate.ts'
import { preReleaseMigrations } from '../../src/server/storage/engine/migrations/pre-release/chain.ts'
import { asOwner } from '../support/rows.ts'
import { createDatabase, startService } from '../support/service.ts'
import { query } from '../support/sql.ts'

const workspaceId = 'wsp_01k9ztqv7e4m8c2n5w6x3y0abd'
const chain = Object.keys(preReleaseMigrations)

/** A database as a version before 0.2.0 left it. */
async function databaseOf(migration: string) {
  const database = await createDatabase()
  await asOwner(database.url, async (client) => {
    await client.query('BEGIN')
    await migrateInTransaction(kyselyForClient(client), migration)
    await client.query("INSERT INTO workspaces (id, name) VALUES ($1, 'Acme long ago')", [workspaceId])
    await client.query('COMMIT')
  })
  return database
}

/** Everything that a start creates, as text. */
async function catalogAfterStart(databaseUrl: string): Promise<Record<string, unknown[]>> {
  await (await startService({ DATABASE_URL: databaseUrl }, ['--only', 'backend'])).stop()
  const ours = "(SELECT oid FROM pg_class WHERE relnamespace = 'public'::regnamespace)"
  const statements = {
    tables: `SELECT relname, relkind, relrowsecurity, relforcerowsecurity, reloptions, relacl::text[] FROM pg_class
      WHERE relnamespace = 'public'::regnamespace AND relkind IN ('r', 'S', 'v') ORDER BY 1`,
    columns: `SELECT attrelid::regclass::text, attname, format_type(atttypid, atttypmod), attnotnull, attidentity, attacl::text[],
        pg_get_expr(adbin, adrelid) AS default
      FROM pg_attribute LEFT JOIN pg_attrdef ON adrelid = attrelid AND adnum = attnum
      WHERE attrelid IN ${ours} AND attrelid IN (SELECT oid FROM pg_class WHERE relkind = 'r') AND attnum > 0 AND NOT attisdropped
      ORDER BY 1, attnum`,
    constraints: `SELECT conrelid::regclass::text, conname, pg_get_constraintdef(oid) FROM pg_constraint
      WHERE conrelid IN ${ours} ORDER BY 1, 2`,
    indexes: "SELECT indexname, indexdef FROM pg_indexes WHERE schemaname = 'public' ORDER BY 1",
    functions: `SELECT oid::regprocedure::text, pg_get_functiondef(oid), proacl::text[] FROM pg_proc
      WHERE pronamespace = 'public'::regnamespace ORDER BY 1`,
    policies: "SELECT * FROM pg_policies WHERE schemaname = 'public' ORDER BY tablename, policyname",
    migrations: 'SELECT name FROM migrations ORDER BY name',
  }
  const catalog: Record<string, unknown[]> = {}
  for (const [name, statement] of Object.entries(statements))
    catalog[name] = await query(databaseUrl, statement)
  return catalog
}

describe('a database from before 0.2.0', () => {
  let fresh: Awaited<ReturnType<typeof catalogAfterStart>>
  beforeAll(async () => {
    const database = await createDatabase(inject('migratedTemplate'))
    fresh = await catalogAfterStart(database.url)
    await database.drop()
    expect(fresh.tables!.length).toBeGreaterThan(30)
  })

  test.each([chain.at(-1)!, '020-several-reset-links', '012-endings-together', chain[0]!])(
    'of migration %s continues with its data and has the schema of a new one',
    async (migration) => {
      const database = await databaseOf(migration)
      onTestFinished(() => database.drop())
      const databaseUrl = database.url
      const older = await catalogAfterStart(databaseUrl)
      for (const part of Object.keys(fresh)) expect(older[part], part).toEqual(fresh[part])
      expect(await query(databaseUrl, 'SELECT name FROM workspaces')).toEqual([{ name: 'Acme long ago' }])
      // Once more, as any later start.
      expect(await catalogAfterStart(databaseUrl)).toEqual(fresh)
    },
  )
})

describe('what a database of migration 020 stored', () => {
  let database: Awaited<ReturnType<typeof createDatabase>>
  const wrote = 'He wrote "pairs": and "mark": there.'
  const result = (names: { pairs: string; mark: string; found: string; result: string }) => ({
    findings: [{ quotes: [{ text: wrote }], basis: { [names.mark]: { version: '2' } }, [names.pairs]: [] }],
    [names.found]: [],
    earlierAdvice: [{ result: names.result }],
  })
  const reasons = {
    High: 'new',
    New: 'new',
    Reminder: 'changed',
    'The agent replied': 'changed',
    'You were mentioned in a note': 'mentioned',
  }

  beforeAll(async () => {
    database = await databaseOf('020-mcp-session-ends')
    await asOwner(database.url, async (client) => {
      await client.query(
        "INSERT INTO api_keys (id, workspace_id, name, created_by, scopes) VALUES ('key_1', $1, 'k', 'usr_1', '{tasks}')",
        [workspaceId],
      )
      await client.query(
        `INSERT INTO api_key_secrets (digest, key_id, workspace_id, first_characters, last_four, created_at)
         SELECT digest, 'key_1', $1, 'hrl_aaaa', 'aaaa', created_at::timestamptz
         FROM (VALUES ('b', '2026-01-01'), ('c', '2026-01-02'), ('a', '2026-01-02')) AS secrets (digest, created_at)`,
        [workspaceId],
      )
      await client.query(
        "INSERT INTO webhook_secrets (workspace_id, sealed) SELECT $1, sealed FROM unnest('{a,b,c}'::text[]) AS sealed",
        [workspaceId],
      )
      const before = result({ pairs: 'pairs', mark: 'mark', found: 'notSeparated', result: 'not tried' })
      await client.query(
        `INSERT INTO analyses (id, workspace_id, app, type, started_by, result, period_start, period_end)
         VALUES ('ana_1', $1, 'default', 'refund', 'usr_1', $2, app_now(), app_now())`,
        [workspaceId, JSON.stringify(before)],
      )
      await client.query(
        `INSERT INTO held_notifications (workspace_id, user_id, medium, task_id, label, due_at)
         SELECT $1, 'usr_1', 'mail', label, label, 'infinity' FROM unnest($2::text[]) AS label`,
        [workspaceId, Object.keys(reasons)],
      )
    })
    await (await startService({ DATABASE_URL: database.url }, ['--only', 'backend'])).stop()
  })
  afterAll(() => database.drop())

  test('a key with several current secrets keeps the newest, and the others work for another day', async () => {
    const secrets = await query(
      database.url,
      `SELECT digest, round(extract(epoch FROM expires_at - app_now()) / 3600)::integer AS hours
       FROM api_key_secrets ORDER BY digest`,
    )
    expect(secrets).toEqual([
      { digest: 'a', hours: 24 },
      { digest: 'b', hours: 24 },
      { digest: 'c', hours: null },
    ])
  })

  test('a workspace with several current webhook secrets keeps the newest, and the others sign for another day', async () => {
    const secrets = await query(
      database.url,
      `SELECT sealed, round(extract(epoch FROM expires_at - app_now()) / 3600)::integer AS hours
       FROM webhook_secrets ORDER BY id`,
    )
    expect(secrets).toEqual([
      { sealed: 'a', hours: 24 },
      { sealed: 'b', hours: 24 },
      { sealed: 'c', hours: null },
    ])
  })

  test('analyses get the new names of their fields, and what people wrote stays', async () => {
    const after = result({ pairs: 'taskPairs', mark: 'trait', found: 'inconclusive', result: 'not-tried' })
    expect(await query(database.url, 'SELECT result FROM analyses')).toEqual([{ result: after }])
  })

  test('notifications that were held back get the reason that their label names', async () => {
    const rows = await query<{ label: string; reason: string }>(
      database.url,
      'SELECT label, reason FROM held_notifications',
    )
    expect(Object.fromEntries(rows.map(({ label, reason }) => [label, reason]))).toEqual(reasons)
  })
})

test('a database that cannot store every text is refused before anything is created in it', async () => {
  const locale = "LOCALE_PROVIDER libc LC_COLLATE 'C' LC_CTYPE 'C'"
  const database = await createDatabase(`template0 ENCODING 'LATIN1' ${locale}`)
  onTestFinished(() => database.drop())
  await expect(startService({ DATABASE_URL: database.url })).rejects.toMatchObject({
    name: 'StartError',
    message: expect.stringMatching(/the encoding LATIN1.*ENCODING 'UTF8'/),
  })
  expect(await query(database.url, "SELECT FROM pg_class WHERE relname = 'migrations'")).toEqual([])
})
