import type { RawBuilder } from 'kysely'
import type { Transaction } from './database.ts'

// A connection keeps each plan in memory. More texts than this are variants of filters that few people combine.
const maxTexts = 200
const names = new Map<string, string>()

/**
 * Runs a query that is built from parts as a statement that is prepared once per connection. After five runs PostgreSQL
 * keeps one plan for all values unless it estimates it to be worse. Planning was nine tenths of its time for a page of
 * the inbox (bench latency, 2026-11).
 */
export async function runPrepared<Row>(tx: Transaction, query: RawBuilder<Row>): Promise<Row[]> {
  const { sql, parameters } = query.compile(tx.db)
  return await tx.prepared<Row>(nameOf(sql), sql, [...parameters])
}

/** Undefined if too many texts have a name already. */
function nameOf(text: string): string | undefined {
  const known = names.get(text)
  if (known !== undefined || names.size >= maxTexts) return known
  const name = `query-${names.size}`
  names.set(text, name)
  return name
}
