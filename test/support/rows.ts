import pg from 'pg'

// Connecting takes longer than most queries, and tests poll: the last connection to each database
// of this run is kept for a moment. Other servers may be stopped by the test.
const kept = new Map<string, { client: pg.Client; expiry: NodeJS.Timeout }>()
const keptFor = 5_000
const isOfThisRun = (databaseUrl: string) => /\/test_template_\w+_\w+(\?|$)/.test(databaseUrl)

/** Runs `work` on a superuser connection, for data that no API returns. */
export async function asOwner<T>(databaseUrl: string, work: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = takeKept(databaseUrl) ?? (await connect(databaseUrl))
  try {
    const result = await work(client)
    await keep(databaseUrl, client)
    return result
  } catch (error) {
    await client.end()
    throw error
  }
}

async function connect(databaseUrl: string): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: databaseUrl })
  // Dropping the database ends its connections.
  client.on('error', () => {
    if (kept.get(databaseUrl)?.client === client) takeKept(databaseUrl)
  })
  await client.connect()
  return client
}

function takeKept(databaseUrl: string): pg.Client | undefined {
  const found = kept.get(databaseUrl)
  clearTimeout(found?.expiry)
  kept.delete(databaseUrl)
  return found?.client
}

async function keep(databaseUrl: string, client: pg.Client): Promise<void> {
  if (!isOfThisRun(databaseUrl)) return await client.end()
  // Fails if `work` has left a transaction open.
  const isClean = await client.query('DISCARD ALL').then(
    () => true,
    () => false,
  )
  if (!isClean || kept.has(databaseUrl)) return await client.end()
  const expiry = setTimeout(() => takeKept(databaseUrl)?.end(), keptFor).unref()
  kept.set(databaseUrl, { client, expiry })
}

export async function tablesWithColumn(client: pg.Client, column: string): Promise<string[]> {
  const { rows } = await client.query<{ name: string }>(
    `SELECT table_name AS name FROM information_schema.columns
     WHERE table_schema = current_schema() AND column_name = $1 ORDER BY 1`,
    [column],
  )
  return rows.map((row) => row.name)
}

/**
 * Every row of a workspace and its members as text, by table, without columns that a job updates
 * every minute.
 */
export async function dumpWorkspace(
  databaseUrl: string,
  workspaceId: string,
): Promise<Record<string, string[]>> {
  return await asOwner(databaseUrl, async (client) => {
    const dump: Record<string, string[]> = {}
    const dumpRows = async (table: string, condition: string) => {
      const { rows } = await client.query<{ row: string }>(
        `SELECT (to_jsonb(t) - '{logged_seq,logged_at}'::text[])::text AS row FROM ${table} t WHERE ${condition} ORDER BY 1`,
        [workspaceId],
      )
      dump[table] = rows.map(({ row }) => row)
    }
    for (const table of await tablesWithColumn(client, 'workspace_id'))
      await dumpRows(table, 'workspace_id = $1')
    await dumpRows('workspaces', 'id = $1')
    const people = 'SELECT user_id FROM members WHERE workspace_id = $1'
    await dumpRows('users', `id IN (${people})`)
    await dumpRows('accounts', `user_id IN (${people})`)
    return dump
  })
}

/** The whole database as text, to check that it does not contain something. */
export async function dumpDatabase(databaseUrl: string): Promise<string> {
  return await asOwner(databaseUrl, async (client) => {
    const { rows: tables } = await client.query<{ name: string }>(
      `SELECT quote_ident(table_name) AS name FROM information_schema.tables
       WHERE table_schema = current_schema() AND table_type = 'BASE TABLE'`,
    )
    let text = ''
    for (const { name } of tables) {
      const { rows } = await client.query<{ row: string }>(`SELECT t::text AS row FROM ${name} t`)
      text += `${name}\n${rows.map(({ row }) => row).join('\n')}\n`
    }
    return text
  })
}

/** The service's current time. */
export async function readClock(databaseUrl: string): Promise<Date> {
  return await asOwner(databaseUrl, async (client) => {
    const { rows } = await client.query<{ now: Date }>('SELECT app_now() AS now')
    return rows[0]!.now
  })
}

/**
 * Moves the service's clock to a timestamp plus an offset, unless it is there already: a clock
 * never goes back.
 */
export async function moveClockTo(databaseUrl: string, timestamp: string, offset = '0 s'): Promise<void> {
  const amount = `greatest($1::timestamptz - app_now() + $2::interval, '0')`
  await addToClock(databaseUrl, amount, [timestamp, offset])
}

/** Moves the service's clock, which is the database's clock plus an offset. */
export async function moveClock(databaseUrl: string, interval: string): Promise<void> {
  await addToClock(databaseUrl, '$1::interval', [interval])
}

/** Wakes the processes that deliver, so that no test waits for their sweep. `runSweeps` does the rest. */
async function addToClock(databaseUrl: string, amount: string, values: string[]): Promise<void> {
  await asOwner(databaseUrl, async (client) => {
    await client.query(
      `INSERT INTO clock_offset (amount) SELECT ${amount}
       ON CONFLICT (only_row) DO UPDATE SET amount = clock_offset.amount + excluded.amount`,
      values,
    )
    await client.query(`SELECT pg_notify('handrail_wake', '/deliveries-due')`)
  })
}
