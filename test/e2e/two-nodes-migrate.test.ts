import { afterEach, describe, expect, inject, onTestFinished, test } from 'vitest'
import { setUpToken as setUpTokenOf } from '../../src/server/domain/workspaces/set-up.ts'
import { createLogger } from '../../src/server/lib/logger.ts'
import { explainDatabaseError } from '../../src/server/lib/start-error.ts'
import { openDatabase } from '../../src/server/storage/engine/database.ts'
import { version } from '../../src/server/version.ts'
import { callAs } from '../support/http.ts'
import { type Node, startNodes, stopNodes } from '../support/nodes.ts'
import { createDatabase, startService, testPassword, testSecrets } from '../support/service.ts'
import { setUpToken } from '../support/set-up-link.ts'
import { query } from '../support/sql.ts'

describe('nodes on one database', () => {
  let nodes: Node[] = []
  const ends: (() => Promise<void>)[] = []
  afterEach(async () => {
    await stopNodes(nodes)
    nodes = []
    for (const end of ends.splice(0).reverse()) await end()
  })

  async function addDatabase(template?: string): Promise<string> {
    const { url, drop } = await createDatabase(template)
    ends.push(drop)
    return url
  }
  /** A node in this process, which starts in a tenth of the time. */
  async function startHere(databaseUrl: string, environment: Record<string, string> = {}) {
    const service = await startService({ DATABASE_URL: databaseUrl, ...environment })
    ends.push(() => service.stop())
    return service
  }
  const healthOf = async ({ url }: { url: string }) =>
    (await (await fetch(`${url}/health`)).json()) as { status: string }
  const secretNames = ['API_KEY_PEPPER', 'ENCRYPTION_KEY', 'AUTH_SECRET', 'SERVICE_MCP_INTERNAL_TOKEN']

  test('may start together on an empty database: one migrates, the others wait, all start', async () => {
    const url = await addDatabase()
    const [started, ...here] = await Promise.all([startNodes(url, 1), startHere(url), startHere(url)])
    nodes = started
    const all = [...nodes, ...here]
    expect(await Promise.all(all.map(healthOf))).toMatchObject([
      { status: 'ok' },
      { status: 'ok' },
      { status: 'ok' },
    ])
    const migrations = await query<{ name: string }>(url, 'SELECT name FROM migrations')
    expect(migrations.map(({ name }) => name)).toContain('001-initial-schema')
    // One of each, although three nodes stored them concurrently.
    const facts = await query<{ name: string }>(
      url,
      `SELECT name FROM service_facts WHERE name = 'epoch' OR name LIKE 'fingerprint:%' ORDER BY name`,
    )
    expect(facts.map(({ name }) => name)).toEqual(
      ['epoch', ...secretNames.map((name) => `fingerprint:${name}`)].sort(),
    )
    // Each process prints the link of their secret, and it works at each node, once.
    const token = await setUpToken(nodes[0]!)
    expect(token).toBe(setUpTokenOf(testSecrets.AUTH_SECRET))
    const owners = await Promise.all(
      all.map(({ url: node }, i) =>
        callAs(node, {}).post('/setup', {
          token,
          workspace: 'Acme',
          name: 'Olga Owner',
          email: `owner-${i}@example.com`,
          password: testPassword,
        }),
      ),
    )
    expect(owners.map(({ status }) => status).sort()).toEqual([201, 403, 403])
  })

  test('must share their secrets: a node with a different one does not start, and names the variable', async () => {
    const url = await addDatabase(inject('migratedTemplate'))
    const first = await startHere(url)
    const secret = 'another-secret-of-at-least-32-characters'
    const errorOf = (environment: Record<string, string>) =>
      startHere(url, environment).then(
        () => 'It started.',
        (error: Error) => `${error.name}: ${error.message}`,
      )
    const pepper = await errorOf({ API_KEY_PEPPER: secret })
    expect(pepper).toMatch(/^ConfigError: API_KEY_PEPPER differs from the one this database was set up with/)
    const all = await errorOf(Object.fromEntries(secretNames.map((name) => [name, secret])))
    for (const name of secretNames) {
      expect(all).toContain(`${name} differs from the one`)
      if (name !== 'API_KEY_PEPPER') expect(pepper).not.toContain(name)
    }
    expect(`${pepper}${all}`).not.toContain(secret)
    expect(await healthOf(first)).toMatchObject({ status: 'ok' })
  })

  test('a start whose connection is cut between two statements fails, without an uncaught error', async () => {
    const url = await addDatabase(inject('migratedTemplate'))
    const cutIdle = "EXECUTE format('ALTER DATABASE %I SET idle_session_timeout = 5', current_database())"
    await query(url, `DO $$ BEGIN ${cutIdle}; END $$`)
    // Blocked so long that a response and the end of the connection are read together.
    const never = new Int32Array(new SharedArrayBuffer(4))
    const blocking = setInterval(() => Atomics.wait(never, 0, 0, 30), 0)
    onTestFinished(() => clearInterval(blocking))
    const log = createLogger('silent')
    const opening = openDatabase({ url, directUrl: url, poolSize: 1, killStalledConnections: false, log })
    expect(await opening.catch(explainDatabaseError)).toMatch(/^Database error: /)
  })

  test('a node that is older than its database exits with 1 and an explanation', async () => {
    const url = await addDatabase(inject('migratedTemplate'))
    await query(url, `INSERT INTO migrations (name, timestamp) VALUES ('999-from-the-future', now())`)
    const started = startNodes(url, 1)
    await expect(started).rejects.toThrow(
      `the service ended with 1:\nHandrail ${version}\n\nHandrail cannot start: This database was migrated by a newer Handrail (999-from-the-future). Start that version or a later one.\n`,
    )
    await expect(started).rejects.not.toThrow(' at ')
  })
})
