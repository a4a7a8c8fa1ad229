import type { JsonSchema } from '../provider-schemas.ts'
import { example } from './fill.ts'
import { read, remove, stepsOf, write } from './json-path.ts'

export type ToolError = { code: string; detail: string; errors?: { path: string; message: string }[] }
type Steps = (string | number)[]
type Draft = Record<string, unknown>
type Edit = { draft: Draft; steps: Steps; schema: JsonSchema }

const text = '"((?:[^"\\\\]|\\\\.)*)"'

/**
 * Everything the stand-in understands of an error: the imperative sentences, in this order, and
 * nothing about any field.
 */
const rules: [pattern: RegExp, follow: (edit: Edit, ...words: string[]) => void][] = [
  [
    new RegExp(`Rename ${text} to ${text}`),
    ({ draft, steps }, _, name) => relocate(draft, steps, [...steps.slice(0, -1), name!]),
  ],
  [
    /Rename it to one of ([^.]+?), or/,
    ({ draft, steps }, names) =>
      relocate(draft, steps, [...steps.slice(0, -1), firstUnset(draft, steps, names!)]),
  ],
  [
    new RegExp(`move ${text} into ${text}(?: as ${text})?`, 'i'),
    ({ draft, steps }, name, target, as) =>
      relocate(draft, steps, [...stepsOf(unescaped(target!)), as ?? name!]),
  ],
  [
    new RegExp(`Move ${text} to the top level(?: as ${text})?`),
    ({ draft, steps }, name, as) => relocate(draft, steps, [as ?? name!]),
  ],
  [/Move the fields of .+ one level up/, unwrapFields],
  [
    new RegExp(`Did you mean (${text})\\?`),
    ({ draft, steps }, json) => write(draft, steps, JSON.parse(json!)),
  ],
  [/Send for example (.+)\.$/, ({ draft, steps }, json) => write(draft, steps, JSON.parse(json!))],
  [/Send the JSON itself/, convert((value) => JSON.parse(String(value)))],
  [/Send the item itself/, convert((value) => (value as unknown[])[0])],
  [/Send it inside a list/, convert((value) => [value])],
  [/Send it without quotes/, convert(Number)],
  [/Send it in quotes/, convert(String)],
  [new RegExp(`Send (${text})\\.`), ({ draft, steps }, json) => write(draft, steps, JSON.parse(json!))],
  [
    new RegExp(`Must be one of (${text})`),
    ({ draft, steps }, json) => write(draft, steps, JSON.parse(json!)),
  ],
  [
    /at most ([\d,]+) characters/,
    ({ draft, steps }, most) => write(draft, steps, String(read(draft, steps)).slice(0, count(most!))),
  ],
  [/at (?:least|most) ([\d,]+)/, ({ draft, steps }, bound) => write(draft, steps, count(bound!))],
  [/remove it|leave it out/i, ({ draft, steps }) => remove(draft, steps)],
  [/required/i, ({ draft, steps, schema }) => write(draft, steps, example(schemaAt(schema, steps)))],
]

/** Corrects the arguments of a call as its error says. Throws if the error does not say how. */
export function repaired(schema: JsonSchema, args: Draft, error: ToolError): Draft {
  const draft = structuredClone(args)
  const newKey = new RegExp(`a new key in ${text}`).exec(error.detail)?.[1]
  if (newKey !== undefined) draft[newKey] = `${draft[newKey]}-2`
  const edits = (error.errors ?? []).map(({ path, message }) => ({
    steps: stepsOf(path),
    ...ruleFor(message),
  }))
  if (edits.length === 0 && newKey === undefined) throw new Error(`no advice in ${JSON.stringify(error)}`)
  // From the last to the first, so that removing an item of a list does not move those before it.
  for (const { steps, follow, words } of edits.toReversed()) follow({ draft, steps, schema }, ...words)
  return draft
}

function ruleFor(message: string) {
  for (const [pattern, follow] of rules) {
    const match = pattern.exec(message)
    if (match) return { follow, words: match.slice(1) }
  }
  throw new Error(`no advice in "${message}"`)
}

function relocate(draft: Draft, from: Steps, to: Steps): void {
  const value = read(draft, from)
  remove(draft, from)
  write(draft, to, value)
}

function unwrapFields({ draft, steps }: Edit): void {
  const fields = read(draft, steps) as Draft
  remove(draft, steps)
  for (const [name, value] of Object.entries(fields)) write(draft, [...steps.slice(0, -1), name], value)
}

function convert(change: (value: unknown) => unknown) {
  return ({ draft, steps }: Edit) => write(draft, steps, change(read(draft, steps)))
}

function firstUnset(draft: Draft, steps: Steps, names: string): string {
  const parent = read(draft, steps.slice(0, -1)) as Draft
  return (JSON.parse(`[${names}]`) as string[]).find((name) => !(name in parent))!
}

function schemaAt(schema: JsonSchema, steps: Steps): JsonSchema {
  return steps.reduce<JsonSchema>(
    (node, step) =>
      (typeof step === 'number'
        ? node.items
        : (node.properties as Record<string, unknown>)?.[step]) as JsonSchema,
    schema,
  )
}

const count = (digits: string) => Number(digits.replaceAll(',', ''))
const unescaped = (inner: string): string => JSON.parse(`"${inner}"`)
