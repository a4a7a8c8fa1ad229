import { type Kysely, sql } from 'kysely'

export async function up(db: Kysely<unknown>): Promise<void> {
  await sql.raw(edits).execute(db)
}

const edits = `
-- What a person changed in the fields that were prefilled from the context, as returned by the API. Null: no such fields.
ALTER TABLE tasks ADD COLUMN edits json;
-- Counted in statistics. Stays when the content is deleted.
ALTER TABLE tasks ADD COLUMN edit_level text CHECK (edit_level IN ('unchanged', 'light', 'heavy'));

-- Answers with prefilled fields, by how much of their text was changed.
CREATE TABLE answer_edit_days (
  workspace_id text NOT NULL,
  day date NOT NULL,
  app text NOT NULL,
  type text NOT NULL,
  version text NOT NULL,
  handled_by text NOT NULL,
  level text NOT NULL,
  answers integer NOT NULL,
  PRIMARY KEY (workspace_id, day, app, type, version, handled_by, level)
);
`
