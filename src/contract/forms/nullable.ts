import { isObject, type JsonObject, own } from './json.ts'

const variantKeywords = ['anyOf', 'oneOf'] as const

/** Whether a field can be left empty to answer null. If the values are listed, null must be chosen. */
export function isNullable(schema: JsonObject): boolean {
  if (Object.hasOwn(schema, 'enum')) return false
  const type = own(schema, 'type')
  const isNullType = type === 'null' || (Array.isArray(type) && type.includes('null'))
  return isNullType || variantKeywords.some((keyword) => variantsOf(schema, keyword).some(isNull))
}

/** The schema besides null of a field that is written as "this or null", as Pydantic and Zod do. */
export function besideNull(schema: JsonObject): { keyword: string; variant: unknown } | undefined {
  for (const keyword of variantKeywords) {
    const variants = variantsOf(schema, keyword)
    const others = variants.filter((variant) => !isNull(variant))
    if (variants.length === 2 && others.length === 1) return { keyword, variant: others[0] }
  }
  return undefined
}

function variantsOf(schema: JsonObject, keyword: string): readonly unknown[] {
  const variants = own(schema, keyword)
  return Array.isArray(variants) ? variants : []
}

function isNull(schema: unknown): boolean {
  return isObject(schema) && own(schema, 'type') === 'null'
}
