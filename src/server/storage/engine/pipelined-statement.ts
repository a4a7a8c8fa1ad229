import pg from 'pg'

/** A statement whose plan a connection keeps under its name. */
export type Statement = { name: string; text: string; values: unknown[] }

// The part of pg's connection that its own Query uses, and of which its types say nothing.
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
const kept = new WeakMap<Wire, Set<string>>()

/**
 * One statement under its own settings, alone in its transaction: all of it travels in one message and is committed at its end,
 * where BEGIN, SET, the statement and COMMIT would be four. Settings are set_config(name, value, true), so they are gone with the transaction.
 */
export class PipelinedStatement<Row> implements pg.Submittable {
  readonly rows: Row[] = []
  callback: ((error: Error | null) => void) | undefined
  private columns: Column[] = []
  private settingsAreMade = false
  private failed = false
  private wire: Wire | undefined

  private readonly settings: Statement
  private readonly statement: Statement
  private readonly keepPlans: boolean

  /** `keepPlans` is false behind a pooler, which may give each transaction another connection. */
  constructor(settings: Statement, statement: Statement, keepPlans: boolean) {
    this.settings = settings
    // Before anything is sent: a value that cannot be written must not leave half a message behind.
    this.statement = { ...statement, values: statement.values.map(prepareValue) }
    this.keepPlans = keepPlans
  }

  submit(connection: unknown): void {
    const wire = connection as Wire
    this.wire = wire
    wire.stream.cork()
    try {
      this.send(wire, this.settings)
      this.send(wire, this.statement)
      wire.sync()
    } finally {
      wire.stream.uncork()
    }
  }

  private send(wire: Wire, { name, text, values }: Statement): void {
    const statement = this.keepPlans ? name : ''
    const known = kept.get(wire) ?? new Set()
    kept.set(wire, known)
    if (!known.has(statement)) {
      // One that failed half-way may be there already.
      if (statement) wire.close({ type: 'S', name: statement })
      wire.parse({ name: statement, text })
      if (statement) known.add(statement)
    }
    wire.bind({ portal: '', statement, values })
    if (name === this.statement.name) wire.describe({ type: 'P', name: '' })
    wire.execute({ portal: '' })
  }

  handleRowDescription({ fields }: { fields: Field[] }): void {
    this.columns = fields.map(({ name, dataTypeID }) => ({
      name: camelCase(name),
      parse: pg.types.getTypeParser(dataTypeID, 'text'),
    }))
  }

  handleDataRow({ fields }: { fields: (string | null)[] }): void {
    if (!this.settingsAreMade) return
    const row: Record<string, unknown> = {}
    for (const [index, text] of fields.entries()) {
      const { name, parse } = this.columns[index]!
      row[name] = text === null ? null : parse(text)
    }
    this.rows.push(row as Row)
  }

  handleCommandComplete(): void {
    this.settingsAreMade = true
  }

  handleError(error: Error): void {
    if (this.wire) kept.delete(this.wire)
    if (this.failed) return
    this.failed = true
    this.callback?.(error)
  }

  /** Only now it is committed. */
  handleReadyForQuery(): void {
    if (!this.failed) this.callback?.(null)
  }

  handlePortalSuspended(): void {}
  handleEmptyQuery(): void {}
  handleCopyInResponse(): void {}
  handleCopyData(): void {}
}

const camelNames = new Map<string, string>()

/** As Kysely's plugin names columns. */
function camelCase(column: string): string {
  let name = camelNames.get(column)
  if (name === undefined) {
    name = column.replace(/_([a-z0-9])/g, (_, letter: string) => letter.toUpperCase())
    camelNames.set(column, name)
  }
  return name
}
