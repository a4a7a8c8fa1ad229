// What model providers accept as the schema of a function's arguments, according to their
// documentation and error messages. Each function returns the problems with their paths.

export type JsonSchema = { [keyword: string]: unknown }

/**
 * OpenAI, functions without `strict`. From the function calling guide and the messages of
 * `invalid_function_parameters`: the top level has the type `object` and no combination of schemas,
 * an array says what its items are, a name in `required` is a property, and a pattern compiles in
 * Python's `re` (checked elsewhere) without lookaround. `allOf` is refused anywhere.
 */
export function openAiProblems(schema: JsonSchema): string[] {
  const problems: string[] = []
  if (schema.type !== 'object' || !isObject(schema.properties))
    problems.push('$: must be an object with properties')
  for (const keyword of ['oneOf', 'anyOf', 'allOf', 'enum', 'not'])
    if (keyword in schema) problems.push(`$: ${keyword} at the top level`)
  walkSchemas(schema, (node, path) => {
    if (node.type === 'array' && !isObject(node.items)) problems.push(`${path}: array without items`)
    if ('allOf' in node) problems.push(`${path}: allOf`)
    if (/\(\?<?[=!]/.test(String(node.pattern))) problems.push(`${path}: lookaround`)
    problems.push(...undeclaredRequired(node, path))
  })
  return problems
}

// The fields of `Schema` in the Gemini API reference (v1beta). An unknown one is an error of the
// whole request.
const geminiFields = new Set(
  `type format title description nullable enum maxItems minItems properties required minProperties maxProperties minLength
   maxLength pattern example anyOf propertyOrdering default items minimum maximum`.split(/\s+/),
)
const geminiTypes = new Set(['string', 'number', 'integer', 'boolean', 'array', 'object', 'null'])

/**
 * Gemini, `FunctionDeclaration.parameters`. From the API reference: only the fields of `Schema`,
 * one type per schema, enums of strings, `items` for arrays, names of parameters of letters, digits
 * and "_", at most 64 characters. The Gemini Developer API takes no `format` of a string but `enum`
 * and `date-time`. By its messages, `properties` is not empty where it is written, and `properties`
 * and `required` belong to objects.
 */
export function geminiProblems(schema: JsonSchema): string[] {
  const problems: string[] = []
  walkSchemas(schema, (node, path) => {
    for (const keyword of Object.keys(node))
      if (!geminiFields.has(keyword)) problems.push(`${path}: unknown field ${keyword}`)
    if (!geminiTypes.has(node.type as string)) problems.push(`${path}: type ${JSON.stringify(node.type)}`)
    if (node.type === 'array' && !isObject(node.items)) problems.push(`${path}: array without items`)
    if (node.type === 'string' && !['undefined', 'enum', 'date-time'].includes(String(node.format)))
      problems.push(`${path}: format ${node.format}`)
    if (
      Array.isArray(node.enum) &&
      (node.type !== 'string' || node.enum.some((value) => typeof value !== 'string'))
    )
      problems.push(`${path}: enum of something other than strings`)
    if (node.type !== 'object' && ('properties' in node || 'required' in node))
      problems.push(`${path}: properties of something other than an object`)
    if (isObject(node.properties)) {
      const names = Object.keys(node.properties)
      if (names.length === 0) problems.push(`${path}: no properties`)
      for (const name of names)
        if (!/^[A-Za-z_][A-Za-z0-9_]{0,63}$/.test(name)) problems.push(`${path}: name ${name}`)
    }
    problems.push(...undeclaredRequired(node, path))
  })
  return problems
}

/** Every schema in a schema, itself included, with its path. */
export function walkSchemas(
  node: JsonSchema,
  visit: (node: JsonSchema, path: string) => void,
  path = '$',
): void {
  visit(node, path)
  for (const [name, inner] of Object.entries((node.properties ?? {}) as Record<string, JsonSchema>))
    walkSchemas(inner, visit, `${path}.${name}`)
  if (isObject(node.items)) walkSchemas(node.items, visit, `${path}[]`)
  for (const keyword of ['anyOf', 'oneOf', 'allOf'])
    for (const [index, inner] of ((node[keyword] ?? []) as JsonSchema[]).entries())
      walkSchemas(inner, visit, `${path}.${keyword}[${index}]`)
  if (isObject(node.additionalProperties)) walkSchemas(node.additionalProperties, visit, `${path}.*`)
}

function undeclaredRequired({ properties = {}, required = [] }: JsonSchema, path: string): string[] {
  return (required as string[])
    .filter((name) => !Object.hasOwn(properties as object, name))
    .map((name) => `${path}: required ${name} is not a property`)
}

function isObject(value: unknown): value is JsonSchema {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
