export type JsonObject = { readonly [name: string]: unknown }

export function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** Whether a value is neither an object nor a list. */
export function isScalarValue(value: unknown): boolean {
  return value === null || typeof value !== 'object'
}

/** The own property with that name, never an inherited one. */
export function own(object: JsonObject, name: string): unknown {
  return Object.hasOwn(object, name) ? object[name] : undefined
}

/** The own property with that name if it is an object, otherwise an empty object. */
export function objectAt(object: JsonObject | undefined, name: string): JsonObject {
  const value = object && own(object, name)
  return isObject(value) ? value : {}
}

/** Names that could change an object's prototype, or break its conversion to a string, when copied. */
export const unsafeNames: ReadonlySet<string> = new Set(['__proto__', 'constructor', 'prototype', 'toString'])

/** Whether two JSON values are equal, regardless of key order. Not recursive, so any depth is safe. */
export function equalJson(one: unknown, other: unknown, spend?: (units: number) => void): boolean {
  const pairs: [unknown, unknown][] = [[one, other]]
  for (let pair = pairs.pop(); pair; pair = pairs.pop()) {
    const [left, right] = pair
    if (left === right) continue
    if (Array.isArray(left) && Array.isArray(right)) {
      if (left.length !== right.length) return false
      spend?.(left.length / 4)
      for (let index = 0; index < left.length; index++) pairs.push([left[index], right[index]])
    } else if (isObject(left) && isObject(right)) {
      const names = Object.keys(left)
      const others = Object.keys(right)
      spend?.((names.length + others.length) / 8)
      if (names.length !== others.length) return false
      for (const name of names) {
        if (!Object.hasOwn(right, name)) return false
        pairs.push([left[name], right[name]])
      }
    } else {
      return false
    }
  }
  return true
}
