import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { version } from '../../src/server/version.ts'
import { callAs } from '../support/http.ts'
import { type Node, startNodes, stopNodes } from '../support/nodes.ts'
import { createDatabase, testPassword } from '../support/service.ts'
import { setUpToken } from '../support/set-up-link.ts'
import { query } from '../support/sql.ts'

describe('nodes on one database', () => {
  let database: Awaited<ReturnType<typeof createDatabase>>
  let nodes: Node[] = []
  beforeEach(async () => {
    database = await createDatabase()
  })
  afterEach(async () => {
    await stopNodes(nodes)
    nodes = []
    await database.drop()
  })

  const healthOf = async ({ url }: Node) =>
    (await (await fetch(`${url}/health`)).json()) as { status: string }
  const secretNames = ['API_KEY_PEPPER', 'ENCRYPTION_KEY', 'AUTH_SECRET', 'SERVICE_MCP_INTERNAL_TOKEN']

  test('may start together on an empty database: one migrates, the others wait, all start', async () => {
    nodes = await startNodes(database.url, 3)
    expect(await Promise.all(nodes.map(healthOf))).toMatchObject([
      { status: 'ok' },
      { status: 'ok' },
      { status: 'ok' },
    ])
    const migrations = await query<{ name: string }>(database.url, 'SELECT name FROM migrations')
    expect(migrations.map(({ name }) => name)).toContain('001-initial-schema')
    // One of each, although three nodes stored them concurrently.
    const facts = await query<{ name: string }>(
      database.url,
      `SELECT name FROM service_facts WHERE name = 'epoch' OR name LIKE 'fingerprint:%' ORDER BY name`,
    )
    expect(facts.map(({ name }) => name)).toEqual(
      ['epoch', ...secretNames.map((name) => `fingerprint:${name}`)].sort(),
    )
    // All print the same link, and it works at each of them, once.
    const tokens = await Promise.all(nodes.map(setUpToken))
    expect(new Set(tokens).size).toBe(1)
    const owners = await Promise.all(
      nodes.map(({ url }, i) =>
        callAs(url, {}).post('/setup', {
          token: tokens[i],
          workspace: 'Acme',
          name: 'Olga Owner',
          email: `owner-${i}@example.com`,
          password: testPassword,
        }),
      ),
    )
    expect(owners.map(({ status }) => status).sort()).toEqual([201, 403, 403])
  })

  test('must share their secrets: a node with a different one exits with 1 and names the variable', async () => {
    nodes = await startNodes(database.url, 1)
    const secret = 'another-secret-of-at-least-32-characters'
    const start = (environment: Record<string, string>) =>
      startNodes(database.url, 1, environment).catch((error: Error) => error.message)
    const pepper = await start({ API_KEY_PEPPER: secret })
    expect(pepper).toContain('the service ended with 1')
    expect(pepper).toContain('API_KEY_PEPPER differs from the one this database was set up with')
    const all = await start(Object.fromEntries(secretNames.map((name) => [name, secret])))
    for (const name of secretNames) {
      expect(all).toContain(`${name} differs from the one`)
      if (name !== 'API_KEY_PEPPER') expect(pepper).not.toContain(name)
    }
    expect(`${pepper}${all}`).not.toContain(secret)
    expect(await healthOf(nodes[0]!)).toMatchObject({ status: 'ok' })
  })

  test('a node that is older than its database exits with an explanation', async () => {
    await stopNodes(await startNodes(database.url, 1))
    await query(
      database.url,
      `INSERT INTO migrations (name, timestamp) VALUES ('999-from-the-future', now())`,
    )
    const started = startNodes(database.url, 1)
    await expect(started).rejects.toThrow(
      `the service ended with 1:\nHandrail ${version}\n\nHandrail cannot start: This database was migrated by a newer Handrail (999-from-the-future). Start that version or a later one.\n`,
    )
    await expect(started).rejects.not.toThrow(' at ')
  })
})
