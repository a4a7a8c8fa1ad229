import pg from 'pg'

export type Value = string | number | null

/**
 * COPY … FROM STDIN with its rows. pg has no public API for it, so this uses the internal methods
 * of its connection.
 */
class CopyIn extends pg.Query {
  readonly #rows: Buffer
  constructor(statement: string, rows: Buffer, done: (error: Error | undefined) => void) {
    super(statement, done as never)
    this.#rows = rows
  }
  handleCopyInResponse(connection: { sendCopyFromChunk(chunk: Buffer): void; endCopyFrom(): void }): void {
    connection.sendCopyFromChunk(this.#rows)
    connection.endCopyFrom()
  }
}

export async function copyRows(
  client: pg.Client,
  table: string,
  columns: string[],
  rows: string[],
): Promise<void> {
  await new Promise<void>((resolve, reject) => {
    const statement = `COPY ${table} (${columns.join(', ')}) FROM STDIN`
    const text = Buffer.from(`${rows.join('\n')}\n`)
    client.query(new CopyIn(statement, text, (error) => (error ? reject(error) : resolve())))
  })
}

/** One line of COPY's text format. */
export function line(values: Value[]): string {
  return values.map((value) => (value === null ? '\\N' : escaped(String(value)))).join('\t')
}

function escaped(text: string): string {
  return /[\\\n\r\t]/.test(text)
    ? text.replace(
        /[\\\n\r\t]/g,
        (found) => ({ '\\': '\\\\', '\n': '\\n', '\r': '\\r', '\t': '\\t' })[found]!,
      )
    : text
}
