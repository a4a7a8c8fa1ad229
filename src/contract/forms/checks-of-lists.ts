import { adopt, fail, type Here, isFull, type KeywordCheck } from './result.ts'

const items = (count: number) => `${count.toLocaleString('en')} ${count === 1 ? 'item' : 'items'}`

const forLists =
  (check: (here: Here, list: readonly unknown[], setting: unknown) => void): KeywordCheck =>
  (here, setting) => {
    if (Array.isArray(here.location.value)) check(here, here.location.value, setting)
  }

function checkEach(here: Here, list: readonly unknown[], schemas: readonly unknown[]): void {
  const count = Math.min(list.length, schemas.length)
  for (let index = 0; index < count && !isFull(here.result); index++) {
    adopt(here, here.evaluation.evaluate(schemas[index], here.location.child(index)))
  }
}

function checkFrom(here: Here, list: readonly unknown[], start: number, schema: unknown): void {
  for (let index = start; index < list.length && !isFull(here.result); index++) {
    adopt(here, here.evaluation.evaluate(schema, here.location.child(index)))
  }
}

const lengthOf = (list: unknown) => (Array.isArray(list) ? list.length : 0)

export const LIST_CHECKS: [string, KeywordCheck][] = [
  ['prefixItems', forLists((here, list, schemas) => checkEach(here, list, schemas as unknown[]))],
  [
    'items',
    forLists((here, list, schema) => {
      if (Array.isArray(schema)) checkEach(here, list, schema)
      else checkFrom(here, list, lengthOf(here.schema.prefixItems), schema)
    }),
  ],
  [
    'additionalItems',
    forLists((here, list, schema) => {
      // Means the rest of a tuple, and nothing without one.
      if (Array.isArray(here.schema.items)) checkFrom(here, list, here.schema.items.length, schema)
    }),
  ],
  [
    'minItems',
    forLists((here, list, limit) => {
      if (list.length < Number(limit)) fail(here, `Must have at least ${items(Number(limit))}.`)
    }),
  ],
  [
    'maxItems',
    forLists((here, list, limit) => {
      if (list.length > Number(limit)) fail(here, `Must have at most ${items(Number(limit))}.`)
    }),
  ],
  [
    'uniqueItems',
    forLists((here, list, isWanted) => {
      if (isWanted !== true) return
      // The guard lets only lists of scalars ask for this, which a set compares as JSON does.
      here.evaluation.spend(list.length / 8)
      if (new Set(list).size < list.length) fail(here, 'Must not hold the same item twice.')
    }),
  ],
]
