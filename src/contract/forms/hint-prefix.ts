import { isObject } from './json.ts'

/**
 * The warning about a known hint without its prefix, such as `widget` instead of `ui:widget`;
 * undefined for other names. An object, except for `options`, contains the hints of a field with
 * this name, so there is no warning.
 */
export function prefixWarning(
  name: string,
  value: unknown,
  knownHints: ReadonlySet<string>,
): string | undefined {
  if (!knownHints.has(name) || (isObject(value) && name !== 'options')) return undefined
  return `Unknown hint, so it is ignored. Did you mean "ui:${name}"?`
}
