import pg from 'pg'

/** A statement that is prepared once per connection, under its name. */
export type Statement = { name: string; text: string; values: unknown[] }

// The part of pg's connection that its own Query uses. pg's types do not declare it.
type Wire = {
  stream: { cork(): void; uncork(): void }
  parse(message: { name: string; text: string }): void
  bind(message: { portal: string; statement: string; values: unknown[] }): void
  describe(message: { type: 'P'; name: string }): void
  execute(message: { portal: string }): void
  close(message: { type: 'S'; name: string }): void
  sync(): void
}
type Field = { name: string; dataTypeID: number }
type Column = { name: string; parse(text: string): unknown }

const { prepareValue } = (pg as unknown as { utils: { prepareValue(value: unknown): unknown } }).utils
const preparedByConnection = new WeakMap<Wire, Set<string>>()

/**
 * Runs one statement with its own settings in its own transaction, in one round trip; BEGIN, SET, the
 * statement and COMMIT would take four. The settings must be local to the transaction: set_config(…, true).
 */
export class PipelinedStatement<Row> implements pg.Submittable {
  readonly rows: Row[] = []
  callback: ((error: Error | null) => void) | undefined
  private columns: Column[] = []
  private isAfterSettings = false
  private failed = false
  private connection: Wire | undefined

  private readonly settings: Statement
  private readonly statement: Statement
  private readonly cachePlans: boolean

  /** `cachePlans` is false behind a pooler, which may give each transaction another connection. */
  constructor(settings: Statement, statement: Statement, cachePlans: boolean) {
    this.settings = settings
    // Before anything is sent: a value that cannot be serialized must not leave a partial message.
    this.statement = { ...statement, values: statement.values.map(prepareValue) }
    this.cachePlans = cachePlans
  }

  submit(pgConnection: unknown): void {
    const connection = pgConnection as Wire
    this.connection = connection
    connection.stream.cork()
    try {
      this.send(connection, this.settings)
      this.send(connection, this.statement)
      connection.sync()
    } finally {
      connection.stream.uncork()
    }
  }

  private send(connection: Wire, { name, text, values }: Statement): void {
    const statement = this.cachePlans ? name : ''
    const prepared = preparedByConnection.get(connection) ?? new Set()
    preparedByConnection.set(connection, prepared)
    if (!prepared.has(statement)) {
      // A previous attempt that failed may have prepared it already.
      if (statement) connection.close({ type: 'S', name: statement })
      connection.parse({ name: statement, text })
      if (statement) prepared.add(statement)
    }
    connection.bind({ portal: '', statement, values })
    if (name === this.statement.name) connection.describe({ type: 'P', name: '' })
    connection.execute({ portal: '' })
  }

  handleRowDescription({ fields }: { fields: Field[] }): void {
    this.columns = fields.map(({ name, dataTypeID }) => ({
      name: camelCase(name),
      parse: pg.types.getTypeParser(dataTypeID, 'text'),
    }))
  }

  handleDataRow({ fields }: { fields: (string | null)[] }): void {
    if (!this.isAfterSettings) return
    const row: Record<string, unknown> = {}
    for (const [index, text] of fields.entries()) {
      const { name, parse } = this.columns[index]!
      row[name] = text === null ? null : parse(text)
    }
    this.rows.push(row as Row)
  }

  handleCommandComplete(): void {
    this.isAfterSettings = true
  }

  handleError(error: Error): void {
    if (this.connection) preparedByConnection.delete(this.connection)
    if (this.failed) return
    this.failed = true
    this.callback?.(error)
  }

  /** The transaction is committed only now. */
  handleReadyForQuery(): void {
    if (!this.failed) this.callback?.(null)
  }

  handlePortalSuspended(): void {}
  handleEmptyQuery(): void {}
  handleCopyInResponse(): void {}
  handleCopyData(): void {}
}

const camelNames = new Map<string, string>()

/** Converts column names the way Kysely's CamelCasePlugin does. */
function camelCase(column: string): string {
  let name = camelNames.get(column)
  if (name === undefined) {
    name = column.replace(/_([a-z0-9])/g, (_, letter: string) => letter.toUpperCase())
    camelNames.set(column, name)
  }
  return name
}
