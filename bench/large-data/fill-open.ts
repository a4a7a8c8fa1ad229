import pg from 'pg'
import { dropIndexes } from './fill.ts'

/** Creates open tasks, each in its own thread, one second apart. */
export async function fillOpen(databaseUrl: string, workspaceId: string, tasks: number): Promise<void> {
  const client = new pg.Client({ connectionString: databaseUrl, application_name: 'large data' })
  await client.connect()
  try {
    await client.query('BEGIN')
    const createIndexes = await dropIndexes(client, ['tasks', 'threads'])
    await client.query(
      `WITH made AS (
         SELECT n, 'tsk_' || lpad(n::text, 26, '0') AS id, app_now() - make_interval(secs => $2 - n) AS at
         FROM generate_series(1, $2::int) n),
       threads_made AS (
         INSERT INTO threads (workspace_id, id, open_count, rank, oldest_open_at) SELECT $1, id, 1, 2, at FROM made),
       tasks_made AS (
         INSERT INTO tasks (id, workspace_id, thread_id, app, type, name, description, priority, delivery, created_by, created_at)
         SELECT id, $1, id, 'support', 'reply-approval', 'Task ' || n, 'One of many', 2, 'poll', 'key_bench', at FROM made)
       INSERT INTO task_contents (task_id, workspace_id, actions)
       SELECT id, $1, '[{"id":"approve","title":"Approve"}]' FROM made`,
      [workspaceId, tasks],
    )
    await createIndexes()
    await client.query('COMMIT')
    await client.query('VACUUM ANALYZE')
  } finally {
    await client.end()
  }
}
