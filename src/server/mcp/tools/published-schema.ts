import { z } from 'zod'

// What model providers and clients see of a tool's schemas: types, descriptions, allowed values and what is required. Some
// refuse a whole request over a keyword or pattern they do not know, and clients that validate would keep our own messages
// from the model. So bounds, patterns, formats and unknown fields are said in descriptions and checked by the server alone.
// docs/decisions/031 has the reasons.

type Json = Record<string, unknown>
type Published = { type: 'object'; [key: string]: unknown }

/** The schema of a tool's arguments. */
export function publishedSchema(schema: z.ZodType): Published {
  return { ...plain(toJsonSchema(schema)), type: 'object' }
}

/** The schema of a tool's result: its top-level fields. */
export function publishedFields(schema: z.ZodType): Published {
  const { properties, required } = toJsonSchema(schema) as {
    properties: Record<string, Json>
    required: string[]
  }
  return { type: 'object', properties: mapValues(properties, field), required }
}

function plain({ type, description, enum: allowed, properties, required, items }: Json): Json {
  return {
    type,
    ...(description !== undefined && { description }),
    ...(allowed !== undefined && { enum: allowed }),
    ...(properties !== undefined && { properties: mapValues(properties as Record<string, Json>, plain) }),
    ...(required !== undefined && { required }),
    ...(items !== undefined && { items: plain(items as Json) }),
  }
}

function field({ properties: _, required: __, ...schema }: Json): Json {
  const { items, ...rest } = plain(schema)
  return items === undefined ? rest : { ...rest, items: { type: (items as Json).type } }
}

/** What comes out of parsing: wrappers that forgive null, "" and numbers in quotes are no part of what we ask for. */
function toJsonSchema(schema: z.ZodType): Json {
  return z.toJSONSchema(schema, { io: 'output', unrepresentable: 'any' }) as Json
}

function mapValues(object: Record<string, Json>, map: (value: Json) => Json): Record<string, Json> {
  return Object.fromEntries(Object.entries(object).map(([name, value]) => [name, map(value)]))
}
