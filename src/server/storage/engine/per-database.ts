import type { Database } from './database.ts'

/** A value per database, created on first use and shared by all callers: a batcher or a cache. */
export function perDatabase<T>(create: (database: Database) => T): (database: Database) => T {
  const values = new WeakMap<Database, T>()
  return (database) => {
    const cached = values.get(database)
    if (cached !== undefined) return cached
    const value = create(database)
    values.set(database, value)
    return value
  }
}
