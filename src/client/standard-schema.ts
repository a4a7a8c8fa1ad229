/**
 * The parts of Standard Schema (standardschema.dev) that `ask` needs: zod, Valibot, ArkType and
 * others implement it. `jsonSchema` is its extension Standard JSON Schema (zod 4.2, ArkType
 * 2.1.28).
 */
export type StandardSchema<Output = unknown> = {
  readonly '~standard': {
    readonly version: 1
    readonly vendor: string
    readonly validate: (value: unknown) => SchemaResult<Output> | Promise<SchemaResult<Output>>
    readonly types?: { readonly input: unknown; readonly output: Output } | undefined
    readonly jsonSchema?: {
      readonly input: (options: { readonly target: 'draft-2020-12' }) => Record<string, unknown>
    }
  }
}

export type SchemaIssue = {
  readonly message: string
  readonly path?: readonly (PropertyKey | { readonly key: PropertyKey })[] | undefined
}

export type SchemaResult<Output> =
  | { readonly value: Output; readonly issues?: undefined }
  | { readonly issues: readonly SchemaIssue[] }

/** For libraries without `~standard.jsonSchema`, such as `z.toJSONSchema` of zod 4.0 and 4.1. */
export type ToJsonSchema = (schema: never) => object

export function isStandardSchema(schema: unknown): schema is StandardSchema {
  return (
    ((typeof schema === 'object' && schema !== null) || typeof schema === 'function') && '~standard' in schema
  )
}

/** The form of a schema: what a person enters is the input of the schema. */
export function formOf(
  schema: StandardSchema,
  toJsonSchema: ToJsonSchema | undefined,
): Record<string, unknown> {
  const { vendor, jsonSchema } = schema['~standard']
  const form = toJsonSchema?.(schema as never) ?? jsonSchema?.input({ target: 'draft-2020-12' })
  if (!form) {
    throw new TypeError(
      `This version of ${vendor} does not convert its schemas to JSON Schema. Pass its conversion as toJsonSchema, such as z.toJSONSchema.`,
    )
  }
  const { $schema: _, ...rest } = withoutRedundantPatterns(form) as Record<string, unknown>
  return rest
}

const timesOfDay = [
  ['09:30', '23:59'],
  ['09:30:00', '23:59:59'],
  ['09:30:00.000', '23:59:59.999'],
  ['09:30:00.000000', '23:59:59.999999'],
] as const

/**
 * Values of the formats that the service checks itself. A pattern that accepts all values of a row
 * says nothing that its format does not say. Dates and times have one row per precision.
 */
const formatValues: Record<string, string[][]> = {
  email: [['ana.b+c@mail.example.org', 'X1@y.io']],
  uri: [['https://example.com/a?b=1#c', 'ftp://127.0.0.1:21', 'mailto:ana@example.org']],
  date: [['1987-02-28', '2032-12-31']],
  time: timesOfDay.map((times) => [...times]),
  'date-time': timesOfDay.map(([one, other]) => [`1987-02-28T${one}Z`, `2032-12-31T${other}Z`]),
  uuid: [['2c5ea4c0-4067-11e9-8bad-9b1deb4d3b7d', '0191e3c8-7a5f-7cc2-98c6-dc0c0c07398f']],
}

/** Libraries add a pattern to each format, which may be longer than the service accepts, or not be RE2. */
function withoutRedundantPatterns(node: unknown): unknown {
  if (Array.isArray(node)) return node.map(withoutRedundantPatterns)
  if (typeof node !== 'object' || node === null) return node
  const isRedundant = 'format' in node && 'pattern' in node && repeatsFormat(node.pattern, node.format)
  return Object.fromEntries(
    Object.entries(node)
      .filter(([name]) => !(isRedundant && name === 'pattern'))
      .map(([name, value]) => [name, withoutRedundantPatterns(value)]),
  )
}

function repeatsFormat(pattern: unknown, format: unknown): boolean {
  if (typeof pattern !== 'string' || typeof format !== 'string' || !Object.hasOwn(formatValues, format))
    return false
  try {
    const expression = new RegExp(pattern, 'u')
    return formatValues[format]!.some((values) => values.every((value) => expression.test(value)))
  } catch {
    return false
  }
}
