import { equalJson, isObject, type JsonObject } from '../forms/json.ts'
import type { PatchOperation } from './edit.ts'

/** The change from one JSON value to another as a JSON Patch (RFC 6902). Not always the shortest one. */
export function* jsonPatch(before: unknown, after: unknown, path = ''): Generator<PatchOperation> {
  if (Array.isArray(before) && Array.isArray(after)) yield* patchList(before, after, path)
  else if (isObject(before) && isObject(after)) yield* patchObject(before, after, path)
  else if (before !== after) yield { op: 'replace', path, value: after }
}

function* patchObject(before: JsonObject, after: JsonObject, path: string): Generator<PatchOperation> {
  for (const name of Object.keys(before))
    if (!Object.hasOwn(after, name)) yield { op: 'remove', path: pointer(path, name) }
  for (const [name, value] of Object.entries(after)) {
    if (Object.hasOwn(before, name)) yield* jsonPatch(before[name], value, pointer(path, name))
    else yield { op: 'add', path: pointer(path, name), value }
  }
}

/**
 * Items of lists of the same length are changed in place. Otherwise equal items at both ends are
 * kept, those between them are changed in place, and the surplus is removed or added.
 */
function* patchList(
  before: readonly unknown[],
  after: readonly unknown[],
  path: string,
): Generator<PatchOperation> {
  const shorter = Math.min(before.length, after.length)
  let start = 0
  let end = 0
  if (before.length !== after.length) {
    while (start < shorter && equalJson(before[start], after[start])) start++
    while (end < shorter - start && equalJson(before.at(-1 - end), after.at(-1 - end))) end++
  }
  const paired = shorter - end
  for (let n = start; n < paired; n++) yield* jsonPatch(before[n], after[n], `${path}/${n}`)
  for (let n = before.length - end - 1; n >= paired; n--) yield { op: 'remove', path: `${path}/${n}` }
  for (let n = paired; n < after.length - end; n++) yield { op: 'add', path: `${path}/${n}`, value: after[n] }
}

/** Appends a name to a JSON Pointer (RFC 6901). */
function pointer(path: string, name: string): string {
  return `${path}/${name.replaceAll('~', '~0').replaceAll('/', '~1')}`
}
