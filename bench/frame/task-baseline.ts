import { createBaselineDatabase, poolSize, startBaseline } from './baseline.ts'

/** Starts the baseline of the REST API on a new database of the service's PostgreSQL. */
export async function startTaskBaseline(serviceDatabase: string) {
  const databaseUrl = await createBaselineDatabase(
    serviceDatabase,
    `CREATE TABLE task (
       id uuid PRIMARY KEY, name text NOT NULL, body json NOT NULL, created_at timestamptz NOT NULL DEFAULT now(),
       answer json, answered_at timestamptz);
     CREATE INDEX open_tasks ON task (created_at) WHERE answer IS NULL;
     CREATE TABLE outbox (id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY, task_id uuid NOT NULL, body json NOT NULL)`,
  )
  return await startBaseline('task-server', databaseUrl, String(poolSize))
}
