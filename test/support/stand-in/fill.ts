import type { JsonSchema } from '../provider-schemas.ts'

type Properties = Record<string, JsonSchema>

/** Adds the required fields that a draft lacks. */
export function completed(schema: JsonSchema, draft: unknown): unknown {
  if (Array.isArray(draft) && schema.type === 'array')
    return draft.map((item) => completed(schema.items as JsonSchema, item))
  const properties = schema.properties as Properties | undefined
  if (schema.type !== 'object' || !properties || typeof draft !== 'object' || draft === null) return draft
  const entries = Object.entries(draft)
  const fields = entries.map(([name, value]) => [
    name,
    name in properties ? completed(properties[name]!, value) : value,
  ])
  // Whoever wrote a field that the schema does not know believes that nothing is missing.
  const believesComplete = entries.some(([name]) => !(name in properties))
  const missing = ((schema.required ?? []) as string[]).filter(
    (name) => !(name in draft) && !believesComplete,
  )
  return Object.fromEntries([...fields, ...missing.map((name) => [name, example(properties[name]!)])])
}

/** A value for a field, from nothing but its schema. */
export function example(schema: JsonSchema): unknown {
  if (Array.isArray(schema.enum)) return schema.enum[0]
  const described = describedExample(String(schema.description ?? ''))
  if (schema.type === 'array') return described ?? [example(schema.items as JsonSchema)]
  if (schema.type !== 'object') return described ?? 'Text'
  const properties = (schema.properties ?? {}) as Properties
  const required = (schema.required ?? []) as string[]
  return described ?? Object.fromEntries(required.map((name) => [name, example(properties[name]!)]))
}

/** What follows "such as" in a description: JSON, or one word. */
function describedExample(description: string): unknown {
  const text = /such as (.+)$/.exec(description)?.[1]
  if (text === undefined) return undefined
  for (let end = text.length; end > 0; end--) {
    try {
      return JSON.parse(text.slice(0, end))
    } catch {}
  }
  return /^\S+/.exec(text)![0].replace(/[.,:;]$/, '')
}
