import { createHash, type Hash } from 'node:crypto'
import { DamagedBackup } from './backup-error.ts'
import { Header, type Part, type Sum, type Trailer } from './parts.ts'

const newLine = 10

/** Counts and digests of what passes, the same way where data leaves and where it arrives. */
export function createTally(header: Header) {
  // Parsed, so that its fields stand in one order.
  const whole = createHash('sha256').update(JSON.stringify(Header.parse(header)))
  const total = { rows: 0, bytes: 0 }
  let current: { table: string; rows: number; bytes: number; digest: Hash } | undefined

  return {
    begin(table: string): void {
      current = { table, rows: 0, bytes: 0, digest: createHash('sha256') }
    },
    count(bytes: Buffer): void {
      current!.digest.update(bytes)
      current!.bytes += bytes.length
      // A line break inside a value is written as \n, so lines are rows.
      for (let at = bytes.indexOf(newLine); at !== -1; at = bytes.indexOf(newLine, at + 1)) current!.rows += 1
    },
    sum(): Sum {
      const { table, rows, bytes, digest } = current!
      const sum = { table, rows, bytes, sha256: digest.digest('hex') }
      total.rows += rows
      total.bytes += bytes
      whole.update(JSON.stringify(sum))
      return sum
    },
    trailer(sequences: Trailer['sequences']): Trailer {
      return { ...total, sequences, sha256: whole.update(JSON.stringify(sequences)).digest('hex') }
    },
  }
}

/** Passes on what is as it was when it left, in the order the header tells; throws at the first thing that is not. */
export async function* verified(header: Header, parts: AsyncIterable<Part>): AsyncGenerator<Part> {
  const tally = createTally(header)
  const expected = header.tables.map(({ table }) => table)
  let open: string | undefined
  let ended = false
  for await (const part of parts) {
    if (ended) throw new DamagedBackup('something follows its end')
    if ('table' in part) {
      if (open !== undefined || part.table !== expected.shift())
        throw new DamagedBackup(`the table ${part.table} is in a wrong place`)
      open = part.table
      tally.begin(open)
    } else if ('rows' in part) {
      if (open === undefined) throw new DamagedBackup('rows without a table')
      tally.count(part.rows)
    } else if ('sum' in part) {
      if (open === undefined || !same(tally.sum(), part.sum))
        throw new DamagedBackup(`the table ${part.sum.table} is not what was written`)
      open = undefined
    } else {
      if (expected.length > 0 || open !== undefined)
        throw new DamagedBackup(`the table ${open ?? expected[0]} is missing`)
      if (!same(tally.trailer(part.trailer.sequences), part.trailer))
        throw new DamagedBackup('its digests do not agree')
      ended = true
    }
    yield part
  }
  if (!ended) throw new DamagedBackup('its end is missing')
}

function same(one: unknown, other: unknown): boolean {
  return JSON.stringify(one) === JSON.stringify(other)
}
