import type { Database } from './database.ts'

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
