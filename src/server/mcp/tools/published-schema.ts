import { z } from 'zod'

// The part of a tool's schemas that model providers and clients see: types, descriptions, allowed
// values, required fields. Some providers reject a request because of one unknown keyword, and
// clients that validate would hide our error messages from the model. Bounds, patterns and formats
// are therefore in descriptions and checked by the server (docs/decisions/031).

type Json = Record<string, unknown>
type Published = { type: 'object'; [key: string]: unknown }

/** The schema of a tool's arguments. */
export function publishedSchema(schema: z.ZodType): Published {
  return { ...publishedPart(toJsonSchema(schema)), type: 'object' }
}

/** The schema of a tool's result: its top-level fields. */
export function publishedFields(schema: z.ZodType): Published {
  const { properties, required } = toJsonSchema(schema) as {
    properties: Record<string, Json>
    required: string[]
  }
  return { type: 'object', properties: mapValues(properties, topLevelField), required }
}

function publishedPart({ type, description, enum: allowed, properties, required, items }: Json): Json {
  return {
    type,
    ...(description !== undefined && { description }),
    ...(allowed !== undefined && { enum: allowed }),
    ...(properties !== undefined && {
      properties: mapValues(properties as Record<string, Json>, publishedPart),
    }),
    ...(required !== undefined && { required }),
    ...(items !== undefined && { items: publishedPart(items as Json) }),
  }
}

function topLevelField({ properties: _, required: __, enum: ___, ...schema }: Json): Json {
  const { items, ...rest } = publishedPart(schema)
  return items === undefined ? rest : { ...rest, items: { type: (items as Json).type } }
}

/**
 * The output side of the schema: that null, "" and quoted numbers are tolerated is not published.
 */
function toJsonSchema(schema: z.ZodType): Json {
  return z.toJSONSchema(schema, { io: 'output', unrepresentable: 'any' }) as Json
}

function mapValues(object: Record<string, Json>, map: (value: Json) => Json): Record<string, Json> {
  return Object.fromEntries(Object.entries(object).map(([name, value]) => [name, map(value)]))
}
