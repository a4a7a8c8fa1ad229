import pg from 'pg'
import { copyRows } from './copy-rows.ts'
import { createInventor, peopleCount, timeOrdered, type Workspace } from './invented-task.ts'
import { createRandom } from './random.ts'
import {
  addAudit,
  addEvents,
  addRows,
  columns,
  emptyRows,
  type Person,
  type Rows,
  type Table,
} from './rows.ts'

export type FillOptions = {
  /** The URL of a migrated database, as a superuser. */
  databaseUrl: string
  /** The workspace that gets half of the tasks. */
  workspaceId: string
  tasks: number
  showProgress?(text: string): void
}

const batch = 5_000
const tasksPerSmallWorkspace = 500
// The share of tasks, the newest ones, that have events and audit entries. It is enough for the
// measurements.
const eventShare = 0.3

/**
 * Fills a database as if it had been used for 90 days. It drops the indexes and creates them again
 * at the end, which takes a third of the time that filling with indexes takes. Not in one
 * transaction, because events of all databases of a server wait for the oldest one.
 */
export async function fill(options: FillOptions): Promise<void> {
  const client = new pg.Client({ connectionString: options.databaseUrl, application_name: 'large data' })
  await client.connect()
  try {
    await client.query("SET maintenance_work_mem = '256MB'")
    const createIndexes = await dropIndexes(client, Object.keys(columns), options.showProgress)
    await fillTables(client, options)
    await client.query(`
      INSERT INTO threads (workspace_id, id, open_count, rank, oldest_open_at)
      SELECT workspace_id, thread_id, count(*), min(priority), min(created_at) FROM tasks
      WHERE status = 'open' GROUP BY workspace_id, thread_id`)
    // Without these rows, the service would roll up thousands of days during the measurement.
    await client.query(
      `INSERT INTO answer_roll_ups (workspace_id, until)
       SELECT id, (now() AT TIME ZONE 'UTC')::date FROM workspaces WHERE id <> $1`,
      [options.workspaceId],
    )
    await createIndexes()
    options.showProgress?.('running VACUUM ANALYZE')
    // With VACUUM, because autovacuum would have run in a real database.
    await client.query('VACUUM ANALYZE')
  } finally {
    await client.end()
  }
}

async function fillTables(
  client: pg.Client,
  { tasks, workspaceId, showProgress }: FillOptions,
): Promise<void> {
  const random = createRandom(tasks)
  const invent = createInventor(random, tasks)
  const large = { id: workspaceId, isLarge: true }
  const others = await insertWorkspaces(client, Math.ceil(tasks / 2 / tasksPerSmallWorkspace))
  const people = await insertPeople(client, workspaceId)
  let copied = Promise.resolve()
  for (let from = 0; from < tasks; from += batch) {
    const rows = emptyRows()
    for (let i = from; i < Math.min(from + batch, tasks); i++) {
      const task = invent(i, i % 2 === 0 ? large : others[random.below(others.length)]!)
      const person = task.person === null ? undefined : people[task.person]
      addRows(rows, task, i, person)
      if (i <= tasks * (1 - eventShare)) continue
      addEvents(rows, task, i, person)
      // An audit log starts with the creation of its workspace, which only this one has.
      if (task.workspaceId === workspaceId) addAudit(rows, task, i, person)
    }
    // PostgreSQL writes the previous batch while this one is generated.
    await copied
    copied = copyBatch(client, rows)
    showProgress?.(`generating ${from.toLocaleString('en')} of ${tasks.toLocaleString('en')} tasks`)
  }
  await copied
}

async function copyBatch(client: pg.Client, rows: Rows): Promise<void> {
  for (const table of Object.keys(columns) as Table[])
    if (rows[table].length > 0) await copyRows(client, table, columns[table].split(' '), rows[table])
}

async function insertWorkspaces(client: pg.Client, count: number): Promise<Workspace[]> {
  const ids = Array.from({ length: count }, (_, n) => `wsp_${timeOrdered(Date.now(), n)}`)
  await client.query(
    `INSERT INTO workspaces (id, name) SELECT id, 'Workspace ' || id FROM unnest($1::text[]) id`,
    [ids],
  )
  return ids.map((id) => ({ id, isLarge: false }))
}

async function insertPeople(client: pg.Client, workspaceId: string): Promise<Person[]> {
  const people = Array.from({ length: peopleCount }, (_, n) => ({
    id: `usr_${timeOrdered(Date.now(), n)}`,
    email: `person-${n}@example.com`,
  }))
  const [ids, emails] = [people.map(({ id }) => id), people.map(({ email }) => email)]
  await client.query(
    `WITH made AS (
       INSERT INTO users (id, name, email) SELECT id, email, email FROM unnest($1::text[], $2::text[]) p (id, email))
     INSERT INTO members (workspace_id, user_id, role) SELECT $3, id, 'member' FROM unnest($1::text[]) id`,
    [ids, emails, workspaceId],
  )
  return people
}

/** Drops all indexes of the tables except primary keys. Returns a function that creates them again. */
export async function dropIndexes(
  client: pg.Client,
  tables: string[],
  showProgress?: (text: string) => void,
): Promise<() => Promise<void>> {
  const { rows } = await client.query<{ name: string; definition: string }>(
    `SELECT indexrelid::regclass::text AS name, pg_get_indexdef(indexrelid) AS definition FROM pg_index
     WHERE indrelid = ANY ($1::regclass[]) AND NOT indisprimary`,
    [tables],
  )
  for (const { name } of rows) await client.query(`DROP INDEX ${name}`)
  return async () => {
    for (const [n, { name, definition }] of rows.entries()) {
      showProgress?.(`creating index ${n + 1} of ${rows.length}, ${name}`)
      await client.query(definition)
    }
  }
}
