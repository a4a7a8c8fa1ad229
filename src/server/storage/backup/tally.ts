import { createHash, type Hash } from 'node:crypto'
import { DamagedBackup } from './backup-error.ts'
import { Header, type Part, type Sum, type Trailer } from './parts.ts'

const lineFeed = 10

/** Counts rows and bytes and computes digests, for both export and import. */
export function createTally(header: Header) {
  // Parsed, so that the header's fields are in the order of the schema when they are hashed.
  const overallDigest = createHash('sha256').update(JSON.stringify(Header.parse(header)))
  const total = { rows: 0, bytes: 0 }
  let current: { table: string; rows: number; bytes: number; digest: Hash } | undefined

  return {
    beginTable(table: string): void {
      current = { table, rows: 0, bytes: 0, digest: createHash('sha256') }
    },
    addData(data: Buffer): void {
      current!.digest.update(data)
      current!.bytes += data.length
      // A line break inside a value is written as \n, so lines are rows.
      for (let at = data.indexOf(lineFeed); at !== -1; at = data.indexOf(lineFeed, at + 1)) current!.rows += 1
    },
    endTable(): Sum {
      const { table, rows, bytes, digest } = current!
      const sum = { table, rows, bytes, sha256: digest.digest('hex') }
      total.rows += rows
      total.bytes += bytes
      overallDigest.update(JSON.stringify(sum))
      return sum
    },
    end(sequences: Trailer['sequences']): Trailer {
      return { ...total, sequences, sha256: overallDigest.update(JSON.stringify(sequences)).digest('hex') }
    },
  }
}

/**
 * Yields the parts. Throws at the first part that differs from what was exported or is out of
 * order.
 */
export async function* verifyParts(header: Header, parts: AsyncIterable<Part>): AsyncGenerator<Part> {
  const tally = createTally(header)
  const expected = header.tables.map(({ table }) => table)
  let currentTable: string | undefined
  let ended = false
  for await (const part of parts) {
    if (ended) throw new DamagedBackup('there is data after its end')
    if ('table' in part) {
      if (currentTable !== undefined || part.table !== expected.shift())
        throw new DamagedBackup(`the table ${part.table} is out of order`)
      currentTable = part.table
      tally.beginTable(currentTable)
    } else if ('data' in part) {
      if (currentTable === undefined) throw new DamagedBackup('it has rows without a table')
      tally.addData(part.data)
    } else if ('sum' in part) {
      if (currentTable === undefined || !isEqual(tally.endTable(), part.sum))
        throw new DamagedBackup(`the contents of the table ${part.sum.table} have changed`)
      currentTable = undefined
    } else {
      if (expected.length > 0 || currentTable !== undefined)
        throw new DamagedBackup(`the table ${currentTable ?? expected[0]} is missing`)
      if (!isEqual(tally.end(part.trailer.sequences), part.trailer))
        throw new DamagedBackup('its digests do not match')
      ended = true
    }
    yield part
  }
  if (!ended) throw new DamagedBackup('its end is missing')
}

function isEqual(one: unknown, other: unknown): boolean {
  return JSON.stringify(one) === JSON.stringify(other)
}
