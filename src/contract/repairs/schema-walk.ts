import type { z } from 'zod'
import { isObject, own } from '../forms/json.ts'

export type Path = readonly (string | number)[]
export type Shape = Readonly<Record<string, z.ZodType>>
export type Kind = 'object' | 'array' | 'string' | 'number' | 'boolean' | 'null'

/** The parts of zod's definitions that are read here. zod documents `_zod.def` for this purpose. */
type Definition = {
  type: string
  shape?: Shape
  element?: z.ZodType
  valueType?: z.ZodType
  innerType?: z.ZodType
  in?: z.ZodType
  out?: z.ZodType
}

function definitionOf(schema: z.ZodType): Definition {
  return schema._zod.def as unknown as Definition
}

/** The schema inside optional, nullable, preprocess and transform. */
function unwrap(schema: z.ZodType): z.ZodType {
  const { type, innerType, in: before, out: after } = definitionOf(schema)
  if (innerType) return unwrap(innerType)
  if (type !== 'pipe') return schema
  return unwrap(definitionOf(after!).type === 'transform' ? before! : after!)
}

export function schemaAt(schema: z.ZodType, path: Path): z.ZodType | undefined {
  let found: z.ZodType | undefined = schema
  for (const step of path) {
    if (!found) return undefined
    const { shape, element, valueType }: Definition = definitionOf(unwrap(found))
    found = shape ? (own(shape, String(step)) as z.ZodType | undefined) : (element ?? valueType)
  }
  return found
}

/** The fields of an object schema; undefined for other schemas, including free-form objects. */
export function shapeOf(schema: z.ZodType | undefined): Shape | undefined {
  return schema && definitionOf(unwrap(schema)).shape
}

export function elementOf(schema: z.ZodType): z.ZodType | undefined {
  return definitionOf(unwrap(schema)).element
}

/** Whether a schema is `JsonObject` of field.ts. */
export function isFreeForm(schema: z.ZodType): boolean {
  const inner = unwrap(schema)
  return definitionOf(inner).type === 'custom' && inner.meta()?.type === 'object'
}

export function isRequired(schema: z.ZodType): boolean {
  return !schema.safeParse(undefined).success
}

/** Whether a value is one of those that models send for a field they omit. */
export function isAbsent(value: unknown): boolean {
  return value === undefined || value === null || value === ''
}

export function kindOf(value: unknown): Kind {
  if (Array.isArray(value)) return 'array'
  return value === null ? 'null' : (typeof value as Kind)
}

export function schemaKind(schema: z.ZodType): string {
  return isFreeForm(schema) ? 'object' : definitionOf(unwrap(schema)).type
}

/** The first of the `examples` of a schema. */
export function exampleOf(schema: z.ZodType): unknown {
  const { examples } = (schema.meta() ?? {}) as { examples?: unknown[] }
  if (examples) return examples[0]
  const inner = unwrap(schema)
  return inner === schema ? undefined : exampleOf(inner)
}

export type ObjectAtPath = { path: string[]; shape: Shape }

/** Every object that can be reached from the top level by field names, the top level included. */
export function objectsIn(schema: z.ZodType, path: string[] = []): ObjectAtPath[] {
  const shape = shapeOf(schema)
  if (!shape) return []
  const inner = Object.entries(shape).flatMap(([name, field]) => objectsIn(field, [...path, name]))
  return [{ path, shape }, ...inner]
}

/** The field of an object that takes anything: a required free-form object, such as `data` of a context. */
export function openField(shape: Shape): string | undefined {
  return Object.keys(shape).find((name) => isFreeForm(shape[name]!) && isRequired(shape[name]!))
}

export function isObjectOrAbsent(value: unknown): boolean {
  return isAbsent(value) || isObject(value)
}
