import { type Kysely, sql } from 'kysely'

export async function up(db: Kysely<unknown>): Promise<void> {
  // An answer is what a person submitted. This is the start of a receiver's response.
  await sql`ALTER TABLE delivery_attempts RENAME COLUMN answer TO response_body`.execute(db)
  // The head that was last written to the service's log, and when.
  await sql`ALTER TABLE audit_heads RENAME COLUMN told_seq TO logged_seq`.execute(db)
  await sql`ALTER TABLE audit_heads RENAME COLUMN told_at TO logged_at`.execute(db)
}
