import pg from 'pg'
import { copyRows } from './copy-rows.ts'
import { inventTask, persons, timeOrdered, type Workspace } from './invented-task.ts'
import { createRandom, type Random } from './random.ts'
import { addRows, columns, emptyRows, type Person, type Rows, type Table } from './rows.ts'

export type FillOptions = {
  /** Of a database that is migrated, as a user who may do everything in it. */
  databaseUrl: string
  /** The workspace that gets half of the tasks. */
  workspaceId: string
  tasks: number
  /** Of the others each gets this many. */
  tasksPerOther?: number
  tell?(done: number): void
}

const batch = 5_000

/**
 * Fills a database as if it had been used for 90 days. In one transaction and without indexes, which are made again at
 * the end: a third of the time.
 */
export async function fill(options: FillOptions): Promise<void> {
  const client = new pg.Client({ connectionString: options.databaseUrl, application_name: 'large data' })
  await client.connect()
  try {
    await client.query("BEGIN; SET LOCAL maintenance_work_mem = '256MB'")
    const makeIndexes = await takeIndexesAway(client, Object.keys(columns))
    await fillTables(client, options)
    await client.query(`
      INSERT INTO threads (workspace_id, id, open_count, rank, oldest_open_at)
      SELECT workspace_id, thread_id, count(*), min(priority), min(created_at) FROM tasks
      WHERE status = 'open' GROUP BY workspace_id, thread_id`)
    await makeIndexes()
    await client.query('COMMIT')
    // Not ANALYZE alone: in a database that has lived, autovacuum has been there.
    await client.query('VACUUM ANALYZE')
  } finally {
    await client.end()
  }
}

async function fillTables(client: pg.Client, options: FillOptions): Promise<void> {
  const random = createRandom(options.tasks)
  const until = Date.now()
  const others = await insertWorkspaces(client, Math.ceil(options.tasks / 2 / (options.tasksPerOther ?? 500)))
  const people = await insertPeople(client, options.workspaceId, random, until)
  const large = { id: options.workspaceId, large: true }
  let copied = Promise.resolve()
  for (let from = 0; from < options.tasks; from += batch) {
    const rows = emptyRows()
    for (let i = from; i < Math.min(from + batch, options.tasks); i++) {
      const workspace = i % 2 === 0 ? large : others[random.below(others.length)]!
      addRows(rows, inventTask(random, i, options.tasks, until, workspace), i, people, random)
    }
    // PostgreSQL takes the last batch while this one is invented.
    await copied
    copied = copyBatch(client, rows)
    options.tell?.(from)
  }
  await copied
}

async function copyBatch(client: pg.Client, rows: Rows): Promise<void> {
  for (const table of Object.keys(columns) as Table[])
    if (rows[table].length > 0) await copyRows(client, table, columns[table].split(' '), rows[table])
}

async function insertWorkspaces(client: pg.Client, count: number): Promise<Workspace[]> {
  const random = createRandom(count)
  const ids = Array.from({ length: count }, () => `wsp_${timeOrdered(Date.now(), random)}`)
  await client.query(
    `INSERT INTO workspaces (id, name) SELECT id, 'Workspace ' || id FROM unnest($1::text[]) id`,
    [ids],
  )
  return ids.map((id) => ({ id, large: false }))
}

async function insertPeople(
  client: pg.Client,
  workspaceId: string,
  random: Random,
  at: number,
): Promise<Person[]> {
  const people = Array.from({ length: persons }, (_, n) => ({
    id: `usr_${timeOrdered(at, random)}`,
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

/** Gives back the way to make them again. Primary keys stay. */
async function takeIndexesAway(client: pg.Client, tables: string[]): Promise<() => Promise<void>> {
  const { rows } = await client.query<{ name: string; definition: string }>(
    `SELECT indexrelid::regclass::text AS name, pg_get_indexdef(indexrelid) AS definition FROM pg_index
     WHERE indrelid = ANY ($1::regclass[]) AND NOT indisprimary`,
    [tables],
  )
  for (const { name } of rows) await client.query(`DROP INDEX ${name}`)
  return async () => {
    for (const { definition } of rows) await client.query(definition)
  }
}
