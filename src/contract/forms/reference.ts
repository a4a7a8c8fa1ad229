import { isObject, type JsonObject, own } from './json.ts'

/** The schema that a local `$ref` such as `#/definitions/address` leads to, if it leads to an object. */
export function resolveReference(root: unknown, reference: unknown): JsonObject | undefined {
  const steps = typeof reference === 'string' ? stepsOf(reference) : undefined
  if (!steps) return undefined
  let value = root
  for (const step of steps) {
    if (Array.isArray(value)) value = /^(?:0|[1-9]\d{0,8})$/.test(step) ? value[Number(step)] : undefined
    else if (isObject(value)) value = own(value, step)
    else return undefined
  }
  return isObject(value) ? value : undefined
}

function stepsOf(reference: string): string[] | undefined {
  if (reference !== '#' && !reference.startsWith('#/')) return undefined
  try {
    return decodeURIComponent(reference)
      .split('/')
      .slice(1)
      .map((step) => step.replaceAll('~1', '/').replaceAll('~0', '~'))
  } catch {
    return undefined
  }
}
