import type { Database } from './database.ts'

/** Stores the value if none is there, and gives back the one that counts: the first. */
export async function keepFact(database: Database, name: string, value: string): Promise<string> {
  await database.owner
    .insertInto('serviceFacts')
    .values({ name, value })
    .onConflict((conflict) => conflict.doNothing())
    .execute()
  const kept = await database.owner
    .selectFrom('serviceFacts')
    .select('value')
    .where('name', '=', name)
    .executeTakeFirstOrThrow()
  return kept.value
}
