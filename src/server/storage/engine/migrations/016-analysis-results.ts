import { type Kysely, sql } from 'kysely'

export async function up(db: Kysely<unknown>): Promise<void> {
  await sql.raw('ALTER TABLE analyses ADD COLUMN result json').execute(db)
}
