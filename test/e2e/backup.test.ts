import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gunzipSync, gzipSync } from 'node:zlib'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { backUp } from '../../src/server/backup/back-up.ts'
import { move } from '../../src/server/backup/move.ts'
import { restore } from '../../src/server/backup/restore.ts'
import type { Secrets } from '../../src/server/config.ts'
import { backedUpTables, excludedTables } from '../../src/server/storage/backup/tables.ts'
import { kyselyForClient } from '../../src/server/storage/engine/database.ts'
import { migrateInTransaction } from '../../src/server/storage/engine/migrate.ts'
import { handrail } from '../support/command-line.ts'
import { databaseAddress, startFaultyProxy } from '../support/faulty-proxy.ts'
import { startReceiver } from '../support/receiver.ts'
import { asOwner } from '../support/rows.ts'
import { insertRule } from '../support/rules.ts'
import {
  createDatabase,
  startService,
  type TestService,
  type TestWorkspace,
  taskPayload,
  testSecrets,
} from '../support/service.ts'
import { query } from '../support/sql.ts'
import { waitOptions } from '../support/wait-options.ts'

const secrets: Secrets = {
  apiKeyPepper: testSecrets.API_KEY_PEPPER,
  encryptionKey: testSecrets.ENCRYPTION_KEY,
  authSecret: testSecrets.AUTH_SECRET,
  internalToken: testSecrets.SERVICE_MCP_INTERNAL_TOKEN,
}
const quiet = { printLine: () => undefined, onProgress: () => undefined }
const passphrase = 'a phrase that only we know'

describe('a backup', () => {
  const folder = mkdtempSync(join(tmpdir(), 'handrail-backup-'))
  const file = join(folder, 'night.backup')
  let service: TestService
  let acme: TestWorkspace
  let empty: Awaited<ReturnType<typeof createDatabase>>
  let receiver: Awaited<ReturnType<typeof startReceiver>>

  beforeAll(async () => {
    service = await startService({ CALLBACK_ALLOW_CIDRS: '127.0.0.0/8' })
    acme = await service.workspace('Acme')
    receiver = await startReceiver()
    await fill()
    empty = await createDatabase()
  })
  afterAll(async () => {
    await service.stop()
    await receiver.stop()
    await empty.drop()
    rmSync(folder, { recursive: true, force: true })
  })

  /** Creates data of most kinds, with texts that a file format could corrupt. */
  async function fill() {
    const odd = 'Tab\tnew\nline \\N \\. "quoted" naïve 🙂'
    const context = { data: { odd, deep: { list: [1, 2.5, null, true] } } }
    const created = await acme.agent.post(
      '/tasks',
      taskPayload({ context, metadata: { odd } }, { name: 'Odd 🙂' }),
    )
    await acme.agent.post(`/tasks/${created.body.taskId}/updates`, { message: odd })
    await acme.owner.put(`/tasks/${created.body.taskId}/drafts/decline`, { data: { reason: odd } })
    const calledBack = await acme.agent.post('/tasks', taskPayload({ callbackUrl: `${receiver.url}/hook` }))
    await acme.owner.post(`/tasks/${calledBack.body.taskId}/handle`, {
      actionId: 'decline',
      data: { reason: odd },
    })
    await receiver.calls(1)
    await query(
      service.databaseUrl,
      `UPDATE deliveries SET leased_by = 'a dead process', leased_until = app_now() + interval '1 hour'`,
    )
    await acme.owner.post('/invitations', { email: 'new@example.com', role: 'member' })
    await insertRule(service.databaseUrl, acme.workspaceId, { ruleId: `rul_${'7'.repeat(26)}` })
    await acme.owner.post('/feedback-analyses', { app: 'default', type: 'refund-approval' })
  }

  const take = (more: Partial<Parameters<typeof backUp>[0]> = {}) =>
    backUp({
      from: { dataDir: folder, url: service.databaseUrl },
      file,
      configuredSecrets: secrets,
      passphrase: undefined,
      ...quiet,
      ...more,
    })
  const load = (more: Partial<Parameters<typeof restore>[0]> = {}) =>
    restore({
      file,
      to: { dataDir: folder, url: empty.url },
      configuredSecrets: secrets,
      passphrase: undefined,
      ...quiet,
      ...more,
    })
  const tablesIn = async (url: string) =>
    (
      await query<{ name: string }>(
        url,
        `SELECT relname AS name FROM pg_class WHERE relnamespace = current_schema()::regnamespace AND relkind IN ('r', 'p')`,
      )
    ).map(({ name }) => name)

  /** The error message of a rejected restore. Nothing may be left in the database afterwards. */
  async function refusal(more: Partial<Parameters<typeof restore>[0]> = {}): Promise<string> {
    const error = await load(more).then(
      () => new Error('It was restored.'),
      (thrown: Error) => thrown,
    )
    expect(await tablesIn(empty.url)).toEqual([])
    expect(error.name).toMatch(/^(BackupError|Error)$/)
    return error.message
  }
  const changed = (change: (bytes: Buffer) => Buffer) => {
    const other = join(folder, 'changed.backup')
    writeFileSync(other, change(readFileSync(file)))
    return other
  }
  const rewritten = (change: (text: string) => string) =>
    changed((bytes) => gzipSync(Buffer.from(change(gunzipSync(bytes).toString('latin1')), 'latin1')))

  test('contains every table except those that are excluded by name', async () => {
    expect((await tablesIn(service.databaseUrl)).sort()).toEqual(
      [...backedUpTables, ...excludedTables].sort(),
    )
    const { header } = await take()
    expect(header.tables.map(({ table }) => table)).toEqual(backedUpTables)
  })

  test('is one file that only its owner can read, and does not contain the secrets', async () => {
    await take()
    expect(statSync(file).mode & 0o777).toBe(0o600)
    const text = gunzipSync(readFileSync(file)).toString()
    expect(text).toContain('Odd 🙂')
    for (const secret of Object.values(testSecrets)) expect(text).not.toContain(secret)
  })

  test('that cannot be written leaves the previous one in place', async () => {
    const before = readFileSync(file)
    // A folder stands for anything that is not a regular file.
    await expect(take({ file: folder })).rejects.toThrow(/is not a regular file\. Choose a file name/)
    await expect(take({ file: join(folder, 'nowhere', 'x.backup') })).rejects.toThrow(
      /The folder .* does not exist\. Create it/,
    )
    const onProgress = () => {
      throw new Error('The machine stops.')
    }
    await expect(take({ onProgress })).rejects.toThrow('The machine stops.')
    const { target, urlAtPort } = databaseAddress(service.databaseUrl)
    const proxy = await startFaultyProxy(target, () => 0, { delay: 1, stall: 1, reset: 1 })
    const from = { dataDir: folder, url: urlAtPort(proxy.port) }
    await expect(take({ from, onProgress: proxy.startFaults })).rejects.toThrow(
      /^The database .* could not be read: .*ECONNRESET\. Check that PostgreSQL is running/,
    )
    await proxy.stop()
    expect(readFileSync(file).equals(before)).toBe(true)
  })

  test('is complete when two are written to one file at once, and leaves no other file', async () => {
    await Promise.all([take(), take()])
    expect(gunzipSync(readFileSync(file)).toString()).toMatch(/\n\{"trailer":\{.*\}\}\n$/)
    expect(readdirSync(folder)).toEqual(['night.backup'])
  })

  describe('is rejected and leaves nothing behind', () => {
    test('when it is truncated', async () => {
      const truncated = changed((bytes) => bytes.subarray(0, Math.floor(bytes.length * 0.999)))
      expect(await refusal({ file: truncated })).toMatch(
        /is damaged: the file is truncated\. Nothing was restored/,
      )
      // Complete for gzip, but the last line is missing.
      const message = await refusal({
        file: rewritten((text) => text.slice(0, text.lastIndexOf('{"trailer"'))),
      })
      expect(message).toMatch(/its end is missing/)
    })

    test('when a byte was changed', async () => {
      for (const share of [0.35, 0.6, 0.9]) {
        const flip = (bytes: Buffer) => {
          bytes[Math.floor(bytes.length * share)]! ^= 0x10
          return bytes
        }
        expect(await refusal({ file: changed(flip) })).toMatch(/is damaged/)
      }
    })

    test('when a value was changed and compressed again', async () => {
      const message = await refusal({ file: rewritten((text) => text.replaceAll('Refund ', 'Payout ')) })
      expect(message).toMatch(/is damaged: the contents of the table tasks have changed/)
      const header = await refusal({
        file: rewritten((text) => text.replace(/"takenAt":"2/, '"takenAt":"3')),
      })
      expect(header).toMatch(/digests do not match/)
    })

    test('when it names an unknown table or column', async () => {
      const column = await refusal({ file: rewritten((text) => text.replace('"open_count"', '"x) FROM"')) })
      expect(column).toMatch(/is damaged/)
      const table = await refusal({ file: rewritten((text) => text.replaceAll('"threads"', '"pg_authid"')) })
      expect(table).toMatch(/is damaged/)
    })

    test('when it is not a backup, or was made by a newer Handrail', async () => {
      expect(await refusal({ file: changed(() => Buffer.from('dear diary')) })).toMatch(
        /is not a Handrail backup/,
      )
      expect(await refusal({ file: join(folder, 'none') })).toMatch(/cannot be read \(ENOENT\)/)
      const newer = rewritten((text) => text.replace(/("migrations":\[[^\]]*)\]/, '$1,"999-tomorrow"]'))
      expect(await refusal({ file: newer })).toMatch(/newer Handrail .*999-tomorrow.*later one/)
    })

    test('when a secret differs or is missing, naming it before the database is opened', async () => {
      const nowhere = { dataDir: folder, url: 'postgres://nobody@127.0.0.1:1/none' }
      const pepper = { ...secrets, apiKeyPepper: 'another-pepper-another-pepper-another' }
      const message = await refusal({ to: nowhere, configuredSecrets: pepper })
      expect(message).toMatch(
        /^Different from when this data was written: API_KEY_PEPPER\. .*set the variables of the old service/,
      )
      expect(message).not.toMatch(/another-pepper|AUTH_SECRET/)
      expect(await refusal({ to: nowhere, configuredSecrets: {} })).toMatch(
        /^Missing: API_KEY_PEPPER, ENCRYPTION_KEY, AUTH/,
      )
    })

    test('when its passphrase is wrong', async () => {
      const sealed = join(folder, 'sealed.backup')
      await take({ file: sealed, passphrase })
      const wrong = {
        file: sealed,
        configuredSecrets: {},
        passphrase: async () => 'a phrase of someone else',
      }
      expect(await refusal(wrong)).toMatch(/The passphrase is wrong/)
      expect(await refusal({ ...wrong, passphrase: undefined })).toMatch(/add --passphrase/)
    })
  })

  test('is not restored into a database that contains other tables', async () => {
    const other = await createDatabase()
    try {
      await query(other.url, 'CREATE TABLE users (id text)')
      await expect(load({ to: { dataDir: folder, url: other.url } })).rejects.toThrow(
        /is not empty: it contains users\. Nothing was changed; use an empty database/,
      )
      expect(await tablesIn(other.url)).toEqual(['users'])
    } finally {
      await other.drop()
    }
  })

  test('restores every row unchanged, with the next value of every sequence', async () => {
    const sealed = join(folder, 'sealed.backup')
    const { code, output } = await handrail(empty.url, ['restore', sealed, '--passphrase'], {
      BACKUP_PASSPHRASE: passphrase,
      DATA_DIR: folder,
      ...Object.fromEntries(Object.keys(testSecrets).map((name) => [name, ''])),
    })
    expect({ code, output }).toMatchObject({ code: 0, output: expect.stringContaining('digests match') })
    // Where the service does not find the secrets itself, they are written to a file for the operator.
    expect(output).toContain(join(folder, 'secrets.env'))
    expect(statSync(join(folder, 'secrets.env')).mode & 0o777).toBe(0o600)
    for (const [name, value] of Object.entries(testSecrets))
      expect(readFileSync(join(folder, 'secrets.env'), 'utf8')).toContain(`${name}=${value}\n`)

    // The running service still changes these tables.
    const changing = ['service_facts', 'analyses', 'api_keys']
    const stable = `to_jsonb(t) - '{leased_by,leased_until,logged_seq,logged_at}'::text[]`
    const rowsOf = (url: string) =>
      asOwner(url, async (client) => {
        const rows: [table: string, rows: unknown[]][] = []
        for (const table of backedUpTables.filter((name) => !changing.includes(name)))
          rows.push([table, (await client.query(`SELECT ${stable} FROM ${table} t ORDER BY t::text`)).rows])
        return rows
      })
    expect(await rowsOf(empty.url)).toEqual(await rowsOf(service.databaseUrl))
    expect(await query(empty.url, 'SELECT id FROM deliveries WHERE leased_until IS NOT NULL')).toEqual([])
    const sequences = `SELECT sequencename, last_value FROM pg_sequences WHERE schemaname = current_schema() ORDER BY 1`
    expect(await query(empty.url, sequences)).toEqual(await query(service.databaseUrl, sequences))
    const { output: verified } = await handrail(empty.url, ['audit', 'verify', '--json'])
    expect(JSON.parse(verified)).toMatchObject({
      ok: true,
      workspaces: [{ workspaceId: acme.workspaceId, head: { seq: expect.any(Number) } }],
    })
  })

  test('is not restored into a database that already contains Handrail, and says what is in it', async () => {
    const dataDir = join(folder, 'unused')
    const sealed = {
      file: join(folder, 'sealed.backup'),
      configuredSecrets: {},
      passphrase: async () => passphrase,
    }
    await expect(load({ ...sealed, to: { dataDir, url: empty.url } })).rejects.toThrow(
      /contains Handrail data \(workspaces: 1, people: 1, tasks: 2\)/,
    )
    expect(existsSync(dataDir)).toBe(false)
  })

  test('is not made of a database migrated by a newer Handrail, which may contain unknown tables', async () => {
    const from = { dataDir: folder, url: empty.url }
    await query(empty.url, `INSERT INTO migrations (name, timestamp) VALUES ('999-tomorrow', '')`)
    await expect(take({ from, file: join(folder, 'x.backup') })).rejects.toThrow(
      /newer Handrail release \(999-tomorrow\)/,
    )
    await query(empty.url, `DELETE FROM migrations WHERE name = '999-tomorrow'`)
  })

  test('made by an older Handrail is loaded as it was and then migrated', async () => {
    const [old, fresh] = [await createDatabase(), await createDatabase()]
    const older = join(folder, 'older.backup')
    try {
      await asOwner(old.url, async (client) => {
        await client.query('BEGIN')
        await migrateInTransaction(kyselyForClient(client), '004-inbox-filters')
        await client.query(`
          INSERT INTO service_facts SELECT 'fingerprint:' || key, value FROM json_each_text('${JSON.stringify(
            (await take()).header.fingerprints,
          )}');
          INSERT INTO workspaces (id, name) VALUES ('${acme.workspaceId}', 'Acme long ago');
          INSERT INTO deliveries (id, workspace_id, event_id, event_type, kind, url, body)
            VALUES ('dlv_1', '${acme.workspaceId}', 'evt_1', 'service/test', 'callback', '${receiver.url}/old', '{}');
          COMMIT`)
      })
      const { header } = await take({ from: { dataDir: folder, url: old.url }, file: older })
      expect(header.migrations.at(-1)).toBe('004-inbox-filters')
      await load({ file: older, to: { dataDir: folder, url: fresh.url } })
      const [last] = await query(fresh.url, 'SELECT name FROM migrations ORDER BY name DESC LIMIT 1')
      expect(last).not.toEqual({ name: '004-inbox-filters' })
      expect(await query(fresh.url, 'SELECT id, recipient FROM deliveries')).toEqual([
        { id: 'dlv_1', recipient: null },
      ])
      const node = await startService({ DATABASE_URL: fresh.url })
      expect(await (await fetch(`${node.url}/health`)).json()).toMatchObject({ status: 'ok' })
      await node.stop()
    } finally {
      await old.drop()
      await fresh.drop()
    }
  })

  const moveTo = (from: string, to: string) =>
    move({
      from: { dataDir: folder, url: from },
      to: { dataDir: folder, url: to },
      configuredSecrets: secrets,
      ...quiet,
    })

  test('is not needed for a move, which includes what a service writes until it stops, and is rejected while one runs on either database', async () => {
    const target = await createDatabase()
    const stopping = new pg.Client({ connectionString: empty.url, application_name: 'handrail' })
    await stopping.connect()
    try {
      await expect(moveTo(service.databaseUrl, target.url)).rejects.toThrow(
        /Handrail is running on .*Stop all its/,
      )
      const moved = moveTo(empty.url, target.url)
      await vi.waitFor(async () => {
        const waiting = `SELECT FROM pg_stat_activity WHERE datname = current_database()
          AND application_name = 'handrail-backup' AND query LIKE '%FROM pg_stat_activity%'`
        expect(await query(empty.url, waiting)).toHaveLength(1)
      }, waitOptions)
      await stopping.query(`INSERT INTO workspaces (id, name) VALUES ('wsp_last', 'Created just before')`)
      await stopping.end()
      expect((await moved).secretsIn).toBeUndefined()
      expect(await query(target.url, `SELECT id FROM workspaces WHERE id = 'wsp_last'`)).toHaveLength(1)
      const node = await startService({ DATABASE_URL: target.url })
      await expect(moveTo(empty.url, target.url)).rejects.toThrow(/Handrail is running on/)
      await node.stop()
      await expect(moveTo(empty.url, target.url)).rejects.toThrow(/is not empty/)
    } finally {
      await target.drop()
    }
  })
})
