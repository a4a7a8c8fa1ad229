import pg from 'pg'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { runInTransaction, runPipelined } from '../../src/server/storage/engine/pipelined-statement.ts'
import { createDatabase } from '../support/service.ts'

// Statements are pipelined below pg's public interface; runInTransaction is the fallback.

describe.each([
  ['prepared once per connection', true],
  ['behind a pooler', false],
])('a statement in one round trip, %s', (_, cachePlans) => {
  let database: Awaited<ReturnType<typeof createDatabase>>
  let pool: pg.Pool
  let client: pg.PoolClient
  beforeAll(async () => {
    database = await createDatabase()
    pool = new pg.Pool({ connectionString: database.url, max: 1 })
    client = await pool.connect()
    await client.query('CREATE TABLE kept (id integer PRIMARY KEY, note text)')
  })
  afterAll(async () => {
    client?.release()
    await pool?.end()
    await database?.drop()
  })

  const settings = { text: "SELECT set_config('handrail.workspace', $1, true)", values: ['here'] }
  type Run = typeof runPipelined
  /** What both ways of running a statement give. */
  async function both(name: string, text: string, values: unknown[] = []) {
    const outcomes = []
    for (const [way, run] of Object.entries({ pipelined: runPipelined, plain: runInTransaction }))
      outcomes.push(await outcomeOf(run as Run, way, { name: `${way}-${name}`, text, values }))
    return outcomes
  }
  const outcomeOf = (run: Run, way: string, statement: Parameters<Run>[2]) =>
    run(client, { name: `${way}-settings`, ...settings }, statement, cachePlans).catch(({ code }) => ({
      code,
    }))

  test('gives the same rows as a transaction, for every type the service reads', async () => {
    const text = `SELECT $1::text AS some_text, NULL AS no_value, 7 AS number, 9007199254740993 AS big_number, true AS is_true,
      '{"a_b": [1]}'::json AS payload, timestamptz '2026-11-16 10:00:00.123Z' AS created_at, ARRAY['x', NULL] AS some_list,
      $2::text[] AS given_list, $3::timestamptz AS given_at, current_setting('handrail.workspace') AS workspace`
    const values = ['ä "quoted"', ['a', 'b,c'], new Date('2026-11-16T11:00:00.456Z')]
    for (let time = 0; time < 2; time++) {
      const [pipelined, plain] = await both('types', text, values)
      expect(pipelined).toEqual(plain)
      expect(pipelined).toMatchObject([
        { someText: 'ä "quoted"', bigNumber: '9007199254740993', workspace: 'here' },
      ])
    }
    expect(await both('none', 'SELECT 1 AS one WHERE false')).toEqual([[], []])
  })

  test('commits, or fails with the same error and changes nothing', async () => {
    expect(await both('insert', 'INSERT INTO kept SELECT 1 + count(*) FROM kept RETURNING id')).toEqual([
      [{ id: 1 }],
      [{ id: 2 }],
    ])
    const failing = "WITH new AS (INSERT INTO kept VALUES (3, 'x') RETURNING id) SELECT id / 0 FROM new"
    expect(await both('division', failing)).toEqual([{ code: '22012' }, { code: '22012' }])
    expect(await both('duplicate', 'INSERT INTO kept VALUES (1)')).toEqual([
      { code: '23505' },
      { code: '23505' },
    ])
    expect((await client.query('SELECT id FROM kept ORDER BY id')).rows).toEqual([{ id: 1 }, { id: 2 }])
  })

  test('leaves no settings behind on the connection', async () => {
    await both('any', 'SELECT 1')
    const { rows } = await client.query("SELECT current_setting('handrail.workspace', true) AS left_over")
    expect(rows[0].left_over || null).toBeNull()
  })
})
