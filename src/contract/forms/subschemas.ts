import { isObject, type JsonObject } from './json.ts'

/** Where a subschema applies: to the same value as its parent, to a value below it, or only by reference. */
export type SubschemaPosition = 'same' | 'below' | 'stored'
export type Subschema = {
  keyword: string
  steps: (string | number)[]
  schema: unknown
  position: SubschemaPosition
}

type Form = 'one' | 'list' | 'map'

const subschemaKeywords: ReadonlyMap<string, { position: SubschemaPosition; forms: Form[] }> = new Map([
  ['properties', { position: 'below', forms: ['map'] }],
  ['additionalProperties', { position: 'below', forms: ['one'] }],
  ['propertyNames', { position: 'below', forms: ['one'] }],
  ['items', { position: 'below', forms: ['one', 'list'] }],
  ['prefixItems', { position: 'below', forms: ['list'] }],
  ['additionalItems', { position: 'below', forms: ['one'] }],
  ['allOf', { position: 'same', forms: ['list'] }],
  ['anyOf', { position: 'same', forms: ['list'] }],
  ['oneOf', { position: 'same', forms: ['list'] }],
  ['not', { position: 'same', forms: ['one'] }],
  ['if', { position: 'same', forms: ['one'] }],
  ['then', { position: 'same', forms: ['one'] }],
  ['else', { position: 'same', forms: ['one'] }],
  ['dependentSchemas', { position: 'same', forms: ['map'] }],
  ['dependencies', { position: 'same', forms: ['map'] }],
  ['$defs', { position: 'stored', forms: ['map'] }],
  ['definitions', { position: 'stored', forms: ['map'] }],
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
      if (known.forms.includes('list')) value.forEach((inner, index) => void add(inner, index))
    } else if (known.forms.includes('one')) {
      add(value)
    } else if (known.forms.includes('map') && isObject(value)) {
      for (const name of Object.keys(value)) {
        // A list in `dependencies` contains field names, not schemas.
        if (!(keyword === 'dependencies' && Array.isArray(value[name]))) add(value[name], name)
      }
    }
  }
  return found
}
