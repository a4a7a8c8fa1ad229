import { type CheckContext, fail, isFull, type KeywordCheck, mergeResult } from './result.ts'

const items = (count: number) => `${count.toLocaleString('en')} ${count === 1 ? 'item' : 'items'}`

const forLists =
  (check: (context: CheckContext, list: readonly unknown[], keywordValue: unknown) => void): KeywordCheck =>
  (context, keywordValue) => {
    if (Array.isArray(context.location.value)) check(context, context.location.value, keywordValue)
  }

function checkEach(context: CheckContext, list: readonly unknown[], schemas: readonly unknown[]): void {
  const count = Math.min(list.length, schemas.length)
  for (let index = 0; index < count && !isFull(context.result); index++) {
    mergeResult(context, context.evaluation.evaluate(schemas[index], context.location.child(index)))
  }
}

function checkFrom(context: CheckContext, list: readonly unknown[], start: number, schema: unknown): void {
  for (let index = start; index < list.length && !isFull(context.result); index++) {
    mergeResult(context, context.evaluation.evaluate(schema, context.location.child(index)))
  }
}

const lengthOf = (list: unknown) => (Array.isArray(list) ? list.length : 0)

export const listChecks: [string, KeywordCheck][] = [
  ['prefixItems', forLists((context, list, schemas) => checkEach(context, list, schemas as unknown[]))],
  [
    'items',
    forLists((context, list, schema) => {
      if (Array.isArray(schema)) checkEach(context, list, schema)
      else checkFrom(context, list, lengthOf(context.schema.prefixItems), schema)
    }),
  ],
  [
    'additionalItems',
    forLists((context, list, schema) => {
      // Applies to the items after a tuple; without a tuple it has no meaning.
      if (Array.isArray(context.schema.items)) checkFrom(context, list, context.schema.items.length, schema)
    }),
  ],
  [
    'minItems',
    forLists((context, list, limit) => {
      if (list.length < Number(limit)) fail(context, `Must have at least ${items(Number(limit))}.`)
    }),
  ],
  [
    'maxItems',
    forLists((context, list, limit) => {
      if (list.length > Number(limit)) fail(context, `Must have at most ${items(Number(limit))}.`)
    }),
  ],
  [
    'uniqueItems',
    forLists((context, list, isRequired) => {
      if (isRequired !== true) return
      // `checkForm` allows this only for lists of scalars, which a set compares as JSON does.
      context.evaluation.spend(list.length / 8)
      if (new Set(list).size < list.length) fail(context, 'Must not contain duplicate items.')
    }),
  ],
]
