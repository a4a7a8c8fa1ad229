import { isObject, type JsonObject } from './json.ts'

/** Where a subschema applies: to the same value as its parent, to a value below it, or only by reference. */
export type SubschemaPosition = 'same' | 'below' | 'definition'
export type Subschema = {
  keyword: string
  steps: (string | number)[]
  schema: unknown
  position: SubschemaPosition
}

type Shape = 'one' | 'list' | 'map'

const subschemaKeywords: ReadonlyMap<string, { position: SubschemaPosition; shapes: Shape[] }> = new Map([
  ['properties', { position: 'below', shapes: ['map'] }],
  ['additionalProperties', { position: 'below', shapes: ['one'] }],
  ['propertyNames', { position: 'below', shapes: ['one'] }],
  ['items', { position: 'below', shapes: ['one', 'list'] }],
  ['prefixItems', { position: 'below', shapes: ['list'] }],
  ['additionalItems', { position: 'below', shapes: ['one'] }],
  ['allOf', { position: 'same', shapes: ['list'] }],
  ['anyOf', { position: 'same', shapes: ['list'] }],
  ['oneOf', { position: 'same', shapes: ['list'] }],
  ['not', { position: 'same', shapes: ['one'] }],
  ['if', { position: 'same', shapes: ['one'] }],
  ['then', { position: 'same', shapes: ['one'] }],
  ['else', { position: 'same', shapes: ['one'] }],
  ['dependentSchemas', { position: 'same', shapes: ['map'] }],
  ['dependencies', { position: 'same', shapes: ['map'] }],
  ['$defs', { position: 'definition', shapes: ['map'] }],
  ['definitions', { position: 'definition', shapes: ['map'] }],
])

/** The direct subschemas of a schema. Malformed values have none. */
export function subschemasOf(schema: JsonObject): Subschema[] {
  const found: Subschema[] = []
  for (const keyword of Object.keys(schema)) {
    const known = subschemaKeywords.get(keyword)
    if (!known) continue
    const value = schema[keyword]
    const add = (inner: unknown, ...steps: (string | number)[]) =>
      found.push({ keyword, steps: [keyword, ...steps], schema: inner, position: known.position })
    if (Array.isArray(value)) {
      if (known.shapes.includes('list')) value.forEach((inner, index) => void add(inner, index))
    } else if (known.shapes.includes('one')) {
      add(value)
    } else if (known.shapes.includes('map') && isObject(value)) {
      for (const name of Object.keys(value)) {
        // A list in `dependencies` contains field names, not schemas.
        if (!(keyword === 'dependencies' && Array.isArray(value[name]))) add(value[name], name)
      }
    }
  }
  return found
}
