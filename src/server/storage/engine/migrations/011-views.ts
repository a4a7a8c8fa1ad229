import { type Kysely, sql } from 'kysely'

export async function up(db: Kysely<unknown>): Promise<void> {
  await sql.raw(views).execute(db)
}

const views = `
-- Named filters of the inbox.
CREATE TABLE views (
  workspace_id text NOT NULL,
  -- Empty: the views are shared with the whole workspace.
  user_id text NOT NULL,
  views json NOT NULL,
  PRIMARY KEY (workspace_id, user_id)
);
`
