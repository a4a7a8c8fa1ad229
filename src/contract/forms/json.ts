export type JsonObject = { readonly [name: string]: unknown }

export function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** The member of that name, never one that the object inherits. */
export function own(object: JsonObject, name: string): unknown {
  return Object.hasOwn(object, name) ? object[name] : undefined
}

/** Names that reach an object's prototype when careless code copies them, and the one without which no object becomes text. */
export const UNSAFE_NAMES: ReadonlySet<string> = new Set([
  '__proto__',
  'constructor',
  'prototype',
  'toString',
])

/** Equal as JSON values: the order of keys does not count. Without recursion, so that no depth does harm. */
export function equalJson(one: unknown, other: unknown, spend?: (steps: number) => void): boolean {
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
