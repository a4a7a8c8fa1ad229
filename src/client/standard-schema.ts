/**
 * The parts of Standard Schema (standardschema.dev) that `ask` needs: zod, Valibot, ArkType and others implement it.
 * `jsonSchema` is its extension Standard JSON Schema (zod 4.2, ArkType 2.1.28).
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

// The service checks these formats itself.
const checkedFormats = ['email', 'uri', 'date', 'time', 'date-time', 'uuid']

/** Libraries add a pattern to each format, which may be longer than the service accepts, or not be RE2. */
function withoutRedundantPatterns(node: unknown): unknown {
  if (Array.isArray(node)) return node.map(withoutRedundantPatterns)
  if (typeof node !== 'object' || node === null) return node
  const isRedundant = 'format' in node && checkedFormats.includes(String(node.format))
  return Object.fromEntries(
    Object.entries(node)
      .filter(([name, value]) => !(isRedundant && name === 'pattern' && typeof value === 'string'))
      .map(([name, value]) => [name, withoutRedundantPatterns(value)]),
  )
}
