import { type Kysely, sql } from 'kysely'

export async function up(db: Kysely<unknown>): Promise<void> {
  await sql.raw(actionOutcomes).execute(db)
}

const actionOutcomes = `
-- What an answer says about the agent's work where the sender does not declare it, as set by an admin.
CREATE TABLE action_outcomes (
  workspace_id text NOT NULL,
  app text NOT NULL,
  type text NOT NULL,
  action_id text NOT NULL,
  outcome text NOT NULL CHECK (outcome IN ('positive', 'neutral', 'negative')),
  set_by text NOT NULL,
  set_at timestamptz NOT NULL DEFAULT app_now(),
  PRIMARY KEY (workspace_id, app, type, action_id)
);
`
