import { isObject, type JsonObject, own } from './json.ts'

export type Option = { value: unknown; label: string }

/** The options of a field with their labels; undefined if the schema does not list any. */
export function optionsOf(schema: JsonObject, hints: JsonObject): Option[] | undefined {
  const offered = own(schema, 'enum')
  const variants = own(schema, 'oneOf')
  if (Array.isArray(offered)) return labeled(offered, schema, hints)
  if (isListOfConstants(variants))
    return variants.map((variant) => ({
      value: variant.const,
      label: String(variant.title ?? variant.const),
    }))
  return schema.type === 'boolean' ? labeled([true, false], schema, hints) : undefined
}

function isListOfConstants(variants: unknown): variants is JsonObject[] {
  return Array.isArray(variants) && variants.every((one) => isObject(one) && Object.hasOwn(one, 'const'))
}

function labeled(offered: unknown[], schema: JsonObject, hints: JsonObject): Option[] {
  const inOptions = own(hints, 'ui:options')
  const names = [
    own(hints, 'ui:enumNames'),
    isObject(inOptions) && own(inOptions, 'enumNames'),
    own(schema, 'enumNames'),
  ].find((sent) => isObject(sent) || (Array.isArray(sent) && sent.length === offered.length))
  // A list has a name per position, an object one per value.
  const nameAt = (value: unknown, n: number) =>
    Array.isArray(names) ? names[n] : isObject(names) ? own(names, String(value)) : undefined
  return offered.map((value, n) => ({ value, label: String(nameAt(value, n) ?? nameOfValue(value)) }))
}

function nameOfValue(value: unknown): unknown {
  return typeof value === 'boolean' ? (value ? 'Yes' : 'No') : value
}
