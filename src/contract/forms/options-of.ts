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

/** The values that `enumNames` of a schema names. */
export function labeledValues(schema: JsonObject): unknown {
  return own(schema, 'enum') ?? (schema.type === 'boolean' ? [true, false] : undefined)
}

/** The labels of values in the hints, at either of the two places that the library reads. */
export function labelsInHints(hints: JsonObject): unknown[] {
  const options = own(hints, 'ui:options')
  return [own(hints, 'ui:enumNames'), isObject(options) ? own(options, 'enumNames') : undefined]
}

function labeled(offered: unknown[], schema: JsonObject, hints: JsonObject): Option[] {
  const names = [...labelsInHints(hints), own(schema, 'enumNames')].find(
    (sent) => isObject(sent) || (Array.isArray(sent) && sent.length === offered.length),
  )
  // A list has a name per position, an object one per value.
  const nameAt = (value: unknown, n: number) =>
    Array.isArray(names) ? names[n] : isObject(names) ? own(names, String(value)) : undefined
  return offered.map((value, n) => ({ value, label: String(nameAt(value, n) ?? nameOfValue(value)) }))
}

function nameOfValue(value: unknown): unknown {
  return typeof value === 'boolean' ? (value ? 'Yes' : 'No') : value
}
