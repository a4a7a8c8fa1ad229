import { z } from 'zod'

/** Increased when older releases can no longer read new files. */
export const backupFormat = 1

const name = z.string().max(63) // PostgreSQL's limit for identifiers

export const Header = z.object({
  handrailBackup: z.literal(backupFormat),
  /** The release that wrote it. */
  version: z.string().max(64),
  takenAt: z.iso.datetime(),
  /** All applied migrations, in order. */
  migrations: z.array(name).min(1),
  /** By environment variable; see secrets.ts. */
  fingerprints: z.record(name, z.string().max(64)),
  /** The secrets, encrypted with a passphrase. */
  secrets: z.object({ salt: z.string().max(64), sealed: z.string().max(4_096) }).nullable(),
  tables: z.array(z.object({ table: name, columns: z.array(name).min(1) })).min(1),
})
export type Header = z.infer<typeof Header>

const Sum = z.object({
  table: name,
  rows: z.number(),
  bytes: z.number(),
  sha256: z.string(),
})
export type Sum = z.infer<typeof Sum>

/**
 * `sequences`: the last value of each. `sha256` is computed over the header, the sums and the
 * sequences. The sums contain digests of the data, so it covers the whole backup.
 */
export const Trailer = z.object({
  rows: z.number(),
  bytes: z.number(),
  sequences: z.record(name, z.string().regex(/^\d{1,19}$/)),
  sha256: z.string(),
})
export type Trailer = z.infer<typeof Trailer>

/**
 * What follows the header: the name, data and sum of each table, then the trailer. `data` is a
 * chunk of the table's rows in COPY's text format. A chunk may begin and end inside a row.
 */
export type Part = { table: string } | { data: Buffer } | { sum: Sum } | { trailer: Trailer }

/** Every part except data, as written to the file. */
export const NamedPart = z.union([
  z.strictObject({ table: name }),
  z.strictObject({ sum: Sum }),
  z.strictObject({ trailer: Trailer }),
])
