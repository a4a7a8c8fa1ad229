import type { Database } from './database.ts'

/**
 * Whether fingerprints of the secrets are stored, which a service does when it first starts on a
 * database.
 */
export async function hasFingerprints(database: Database): Promise<boolean> {
  const found = await database.owner
    .selectFrom('serviceFacts')
    .select('name')
    .where('name', 'like', 'fingerprint:%')
    .limit(1)
    .executeTakeFirst()
  return found !== undefined
}

/** Stores the value unless one exists. Returns the stored value, which may be an earlier one. */
export async function storeFactOnce(database: Database, name: string, value: string): Promise<string> {
  await database.owner
    .insertInto('serviceFacts')
    .values({ name, value })
    .onConflict((conflict) => conflict.doNothing())
    .execute()
  const stored = await database.owner
    .selectFrom('serviceFacts')
    .select('value')
    .where('name', '=', name)
    .executeTakeFirstOrThrow()
  return stored.value
}
