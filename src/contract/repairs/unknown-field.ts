import type { z } from 'zod'
import { isObject, own } from '../forms/json.ts'
import { valueAtSteps } from '../forms/prefill.ts'
import { pathOf, pathTo, quoted } from '../violation.ts'
import { isSameName, nearest, nearestTypo } from './nearest.ts'
import {
  isAbsent,
  isFreeForm,
  isObjectOrAbsent,
  isRequired,
  kindOf,
  type ObjectAtPath,
  objectsIn,
  openField,
  type Path,
  type Shape,
  schemaAt,
  schemaKind,
  shapeOf,
} from './schema-walk.ts'

/** `provides`: paths of fields that are present once the advice is followed. */
export type Repair = { message: string; provides: string[] }

type UnknownField = {
  schema: z.ZodType
  input: unknown
  /** The path of the object that has the unknown field. */
  path: Path
  key: string
  value: unknown
  shape: Shape
  parent: Readonly<Record<string, unknown>>
  /** Known fields that are absent from the same object. */
  unset: string[]
  /** The fields in `unset` that are required. */
  missing: string[]
  /** All unknown fields of the same object. */
  unknown: readonly string[]
}

// With more unknown fields, guessing which of them is the missing one is pointless.
const maxGuesses = 10

const removed: Repair = { message: 'Unknown field. Remove it.', provides: [] }

/** What to do with a field that the schema does not know, from certain to vague. */
export function repairUnknownField(
  schema: z.ZodType,
  input: unknown,
  path: Path,
  key: string,
  unknown: readonly string[],
): Repair {
  const shape = shapeOf(schemaAt(schema, path))
  const parent = valueAtSteps(input, path)
  if (!shape || !isObject(parent)) return removed
  const unset = Object.keys(shape).filter((name) => isAbsent(own(parent, name)))
  const missing = unset.filter((name) => isRequired(shape[name]!))
  const value = own(parent, key)
  const field = { schema, input, path, key, value, shape, parent, unset, missing, unknown }
  return (
    otherSpelling(field) ??
    knownElsewhere(field) ??
    wrapper(field) ??
    similarName(field) ??
    onlyMissingField(field) ??
    freeFormHere(field) ??
    likeSetField(field) ??
    oneOfMissing(field) ??
    freeFormElsewhere(field) ??
    removed
  )
}

function otherSpelling(field: UnknownField): Repair | undefined {
  const { path, key, unset } = field
  const name = unset.find((candidate) => isNamed(key, path, candidate))
  return name === undefined ? undefined : adviseRename(field, name)
}

/** A field of another object: `name` at the top level belongs in `task`, and so does `taskName`. */
function knownElsewhere(field: UnknownField): Repair | undefined {
  const { schema, input, path, key, shape } = field
  // An item of a list, such as an action, has names of its own.
  if (path.some((step) => typeof step === 'number')) return undefined
  for (const other of objectsIn(schema)) {
    if (String(other.path) === String(path) || !isObjectOrAbsent(valueAtSteps(input, other.path))) continue
    const name = Object.keys(other.shape).find((candidate) => isNamed(key, other.path, candidate))
    if (name === undefined || !isAbsent(valueAtSteps(input, [...other.path, name]))) continue
    // If this object has a free-form field, that is a better guess than an optional field of
    // another object.
    if (openField(shape) !== undefined && !isRequired(other.shape[name]!)) continue
    return adviseMove(field, other, name)
  }
  return undefined
}

/** An object around fields that are missing, such as `{"arguments": {"taskId": …}}`. */
function wrapper({ key, value, missing, path }: UnknownField): Repair | undefined {
  if (!isObject(value) || !missing.some((name) => Object.hasOwn(value, name))) return undefined
  const provides = missing.filter((name) => Object.hasOwn(value, name)).map((name) => pathOf([...path, name]))
  return { message: `Unknown field. Move the fields of ${quoted(key)} one level up.`, provides }
}

function similarName(field: UnknownField): Repair | undefined {
  const { key, unset, shape, value } = field
  const name = nearest(key, unset)
  if (name === undefined) return undefined
  // A text is not a switch: `question` is not `acceptsQuestions`.
  const isOtherKind = schemaKind(shape[name]!) === 'boolean' && kindOf(value) !== 'boolean'
  return isOtherKind && nearestTypo(key, [name]) === undefined ? undefined : adviseRename(field, name)
}

function onlyMissingField(field: UnknownField): Repair | undefined {
  const [name, ...others] = missingOfSameKind(field)
  if (name === undefined || others.length > 0 || unknownOfSameKind(field).length > 1) return undefined
  // An unknown field with a name like the missing one is the better guess.
  return nearest(name, field.unknown) === undefined ? adviseRename(field, name) : undefined
}

function freeFormHere({ shape, path, key, parent }: UnknownField): Repair | undefined {
  const name = openField(shape)
  if (name === undefined || !isObjectOrAbsent(own(parent, name))) return undefined
  const target = pathOf([...path, name])
  return {
    message: `Unknown field. Move ${quoted(key)} into ${quoted(target)}.`,
    provides: [target],
  }
}

/** A field that is already set under its right name: `action` beside `actions`. */
function likeSetField({ key, shape, unset }: UnknownField): Repair | undefined {
  const set = Object.keys(shape).filter((name) => !unset.includes(name))
  const name = nearestTypo(key, set)
  if (name === undefined) return undefined
  return { message: `Unknown field. Remove it: ${quoted(name)} is already set.`, provides: [] }
}

function oneOfMissing(field: UnknownField): Repair | undefined {
  const names = missingOfSameKind(field)
  if (names.length < 2 || field.unknown.length > maxGuesses) return undefined
  const list = names.map((name) => quoted(name)).join(', ')
  return { message: `Unknown field. Rename it to one of ${list}, or remove it.`, provides: [] }
}

function freeFormElsewhere({ schema, path, key }: UnknownField): Repair | undefined {
  if (path.length > 0) return undefined
  for (const other of objectsIn(schema)) {
    const name = openField(other.shape)
    // Deeper objects are parts of something that the sender may not have meant at all.
    if (name === undefined || other.path.length > 1) continue
    const target = quoted(pathOf([...other.path, name]))
    return {
      message: `Unknown field. Move ${quoted(key)} into ${target} if the person should see it, otherwise remove it.`,
      provides: [],
    }
  }
  return undefined
}

/** Whether a key is this name, alone or with the names before it: `name` or `task_name`. */
function isNamed(key: string, path: Path, name: string): boolean {
  return isSameName(key, name) || isSameName(key, [...path, name].join(''))
}

function missingOfSameKind({ missing, shape, value }: UnknownField): string[] {
  return missing.filter((name) => !isFreeForm(shape[name]!) && schemaKind(shape[name]!) === kindOf(value))
}

function unknownOfSameKind({ unknown, parent, value }: UnknownField): readonly string[] {
  return unknown.length > maxGuesses
    ? unknown
    : unknown.filter((name) => kindOf(own(parent, name)) === kindOf(value))
}

function adviseRename({ path, key, value, shape }: UnknownField, name: string): Repair {
  const kind = schemaKind(shape[name]!)
  // An object under the name of a list does not provide the list.
  const isOfKind = (kind !== 'object' && kind !== 'array') || kind === kindOf(value)
  return {
    message: `Unknown field. Rename ${quoted(key)} to ${quoted(name)}.`,
    provides: isOfKind ? [pathOf([...path, name])] : [],
  }
}

function adviseMove({ key }: UnknownField, { path }: ObjectAtPath, name: string): Repair {
  const target = pathOf(path)
  const where = target === '' ? 'to the top level' : `into ${quoted(target)}`
  const as = key === name ? '' : ` as ${quoted(name)}`
  return {
    message: `Unknown field. Move ${quoted(key)} ${where}${as}.`,
    provides: [pathTo(target, name), target],
  }
}
