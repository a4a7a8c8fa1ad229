import { isObject, type JsonObject } from './json.ts'

/** Where a subschema applies: to the same value as its parent, to a value below it, or nowhere until referred to. */
export type SubschemaPosition = 'same' | 'below' | 'stored'
export type Subschema = {
  keyword: string
  steps: (string | number)[]
  schema: unknown
  place: SubschemaPosition
}

type Form = 'one' | 'list' | 'map'

const KEYWORDS: ReadonlyMap<string, { place: SubschemaPosition; forms: Form[] }> = new Map([
  ['properties', { place: 'below', forms: ['map'] }],
  ['additionalProperties', { place: 'below', forms: ['one'] }],
  ['propertyNames', { place: 'below', forms: ['one'] }],
  ['items', { place: 'below', forms: ['one', 'list'] }],
  ['prefixItems', { place: 'below', forms: ['list'] }],
  ['additionalItems', { place: 'below', forms: ['one'] }],
  ['allOf', { place: 'same', forms: ['list'] }],
  ['anyOf', { place: 'same', forms: ['list'] }],
  ['oneOf', { place: 'same', forms: ['list'] }],
  ['not', { place: 'same', forms: ['one'] }],
  ['if', { place: 'same', forms: ['one'] }],
  ['then', { place: 'same', forms: ['one'] }],
  ['else', { place: 'same', forms: ['one'] }],
  ['dependentSchemas', { place: 'same', forms: ['map'] }],
  ['dependencies', { place: 'same', forms: ['map'] }],
  ['$defs', { place: 'stored', forms: ['map'] }],
  ['definitions', { place: 'stored', forms: ['map'] }],
])

/** The subschemas written inside a schema, one level down. Values of the wrong shape have none. */
export function subschemasOf(schema: JsonObject): Subschema[] {
  const found: Subschema[] = []
  for (const keyword of Object.keys(schema)) {
    const known = KEYWORDS.get(keyword)
    if (!known) continue
    const value = schema[keyword]
    const add = (inner: unknown, ...steps: (string | number)[]) =>
      found.push({ keyword, steps: [keyword, ...steps], schema: inner, place: known.place })
    if (Array.isArray(value)) {
      if (known.forms.includes('list')) value.forEach((inner, index) => void add(inner, index))
    } else if (known.forms.includes('one')) {
      add(value)
    } else if (known.forms.includes('map') && isObject(value)) {
      for (const name of Object.keys(value)) {
        // In `dependencies` a list names fields and is no schema.
        if (!(keyword === 'dependencies' && Array.isArray(value[name]))) add(value[name], name)
      }
    }
  }
  return found
}
