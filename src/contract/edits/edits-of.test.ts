import { applyPatch } from 'diff'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { limits } from '../limits.ts'
import { maxDiffUnits } from './diff-tokens.ts'
import type { PatchOperation } from './edit.ts'
import { editsOf } from './edits-of.ts'
import { jsonPatch } from './json-patch.ts'
import { unifiedDiff } from './unified-diff.ts'
import { diffWords, editLevel } from './word-diff.ts'

const budget = () => ({ units: maxDiffUnits })
// Few distinct words and lines, so that the texts have parts in common.
const word = fc.constantFrom(
  'a',
  'b',
  'the',
  'parcel',
  '漢字',
  ' ',
  '  ',
  '\n',
  '\n\n',
  '\r\n',
  '-',
  '+',
  '@@ -1 +1 @@',
)
const text = fc.array(word, { maxLength: 40 }).map((words) => words.join(''))

describe('the difference of two texts', () => {
  test('as a unified diff turns the first into the second, with any line ends', () => {
    fc.assert(
      fc.property(text, text, fc.constantFrom(0, 20, maxDiffUnits), (before, after, units) => {
        const diff = unifiedDiff(before, after, { units })
        const applied =
          before === after ? before : applyPatch(before, diff, { autoConvertLineEndings: false })
        expect(applied, diff).toBe(after)
      }),
      { numRuns: 2_000 },
    )
  })

  test('word by word contains both texts, and never counts more words than there are', () => {
    fc.assert(
      fc.property(text, text, fc.constantFrom(0, 20, maxDiffUnits), (before, after, units) => {
        const { changes, count } = diffWords(before, after, { units })
        const without = (kind: string) =>
          changes.flatMap((change) => (change.kind === kind ? [] : [change.text])).join('')
        expect(without('removed')).toBe(after)
        expect(wordsOnly(without('added'))).toBe(wordsOnly(before))
        expect(count.changed).toBeLessThanOrEqual(count.total)
        if (before.trim() === after.trim()) expect(count.changed).toBe(0)
      }),
      { numRuns: 2_000 },
    )
  })

  test('of two long texts without a common word takes a bounded number of units', () => {
    const long = (letter: string) => Array.from({ length: 40_000 }, (_, n) => `${letter}${n}`).join(' ')
    const used = budget()
    const { count } = diffWords(long('a'), long('b'), used)
    expect(count).toEqual({ changed: 40_000, total: 40_000 })
    expect(used.units).toBeGreaterThan(-10_000)
  })

  test.each([
    ['three working days', 'five working days', 1, 3],
    ['Hello Tom, how are you?', 'Hello Tom, how are you today?', 2, 6],
    ['one two', 'one  two\n', 0, 2],
    ['', 'one two', 2, 2],
    ['one two', '', 2, 2],
    ['返金します', '返金できます', 2, 6],
  ])('from %j to %j is %i of %i words', (before, after, changed, total) => {
    expect(diffWords(before, after, budget()).count).toEqual({ changed, total })
  })

  test('is light below 20 % and if only spaces changed', () => {
    expect(editLevel({ changed: 0, total: 10 }, false)).toBe('unchanged')
    expect(editLevel({ changed: 0, total: 10 }, true)).toBe('light')
    expect(editLevel({ changed: 19, total: 100 }, true)).toBe('light')
    expect(editLevel({ changed: 20, total: 100 }, true)).toBe('heavy')
    expect(editLevel({ changed: 0, total: 0 }, true)).toBe('light')
  })
})

const wordsOnly = (text: string) => text.replaceAll(/\s/g, '')

describe('the JSON Patch of two values', () => {
  const key = fc.constantFrom('a', 'b', 'a/b', '~', '', '__proto__')
  const { value: json } = fc.letrec((tie) => ({
    value: fc.oneof({ maxDepth: 4 }, fc.constantFrom(null, true, 0, 1, 'x', ''), tie('list'), tie('object')),
    list: fc.array(tie('value'), { maxLength: 5 }),
    object: fc
      .uniqueArray(fc.tuple(key, tie('value')), { selector: ([name]) => name, maxLength: 4 })
      .map(objectFrom),
  }))

  test('turns the first into the second', () => {
    fc.assert(
      fc.property(json, json, (before, after) => {
        const patch = [...jsonPatch(before, after)]
        expect(applyJsonPatch(before, patch), JSON.stringify(patch)).toEqual(after)
      }),
      { numRuns: 3_000 },
    )
  })

  test('names what changed, not the whole value', () => {
    const before = {
      lines: [
        { sku: 'a', count: 1 },
        { sku: 'b', count: 1 },
        { sku: 'c', count: 1 },
      ],
      note: 'x',
    }
    const after = {
      lines: [
        { sku: 'b', count: 1 },
        { sku: 'c', count: 1 },
      ],
    }
    expect([...jsonPatch(before, after)]).toEqual([
      { op: 'remove', path: '/note' },
      { op: 'remove', path: '/lines/0' },
    ])
    expect([...jsonPatch(before.lines, before.lines.with(1, { sku: 'b', count: 2 }))]).toEqual([
      { op: 'replace', path: '/1/count', value: 2 },
    ])
  })
})

describe('the edits of an answer', () => {
  const form = (fields: Record<string, string>) => ({
    schema: {
      type: 'object',
      properties: Object.fromEntries(Object.keys(fields).map((name) => [name, {}])),
    },
    ui: Object.fromEntries(
      Object.entries(fields).map(([name, prefill]) => [name, { 'ui:options': { prefill } }]),
    ),
  })

  test('have an entry per prefilled field, with before and after only if it changed', () => {
    const context = { draft: 'Hello Tom', order: { amount: 5, tags: ['a'] }, count: 3 }
    const found = editsOf(
      form({ reply: 'draft', amount: 'order', count: 'count', missing: 'nowhere' }),
      context,
      {
        reply: 'Hello Ana',
        amount: { amount: 6, tags: ['a'] },
        count: 3,
      },
    )
    expect(found).toEqual({
      level: 'heavy',
      edits: [
        {
          field: 'reply',
          source: 'draft',
          changed: true,
          before: 'Hello Tom',
          after: 'Hello Ana',
          diff: expect.stringContaining('-Hello Tom\n'),
        },
        {
          field: 'amount',
          source: 'order',
          changed: true,
          before: context.order,
          after: { amount: 6, tags: ['a'] },
          diff: [{ op: 'replace', path: '/amount', value: 6 }],
        },
        { field: 'count', source: 'count', changed: false },
      ],
    })
    expect(editsOf(form({ missing: 'nowhere' }), context, {})).toBeUndefined()
  })

  test('stay below 64 KiB: the diff is kept if it fits, and the rest is marked as truncated', () => {
    const long = Array.from({ length: 5_000 }, (_, n) => `Line ${n}.\n`).join('')
    const other = Array.from({ length: 5_000 }, (_, n) => `Another line ${n}.\n`).join('')
    const found = editsOf(
      form({ one: 'text', two: 'text' }),
      { text: long },
      { one: `${long}End.`, two: other },
    )
    expect(found?.edits).toEqual([
      {
        field: 'one',
        source: 'text',
        changed: true,
        truncated: true,
        diff: expect.stringContaining('+End.'),
      },
      { field: 'two', source: 'text', changed: true, truncated: true },
    ])
    expect(JSON.stringify(found?.edits).length).toBeLessThan(limits.editsBytes + 1_000)
  })

  test('of two hundred fields with the same long text take a bounded amount of work', () => {
    const names = Array.from({ length: 200 }, (_, n) => `field${n}`)
    const text = 'word '.repeat(100_000)
    const found = editsOf(
      form(Object.fromEntries(names.map((name) => [name, 'text']))),
      { text },
      Object.fromEntries(names.map((name) => [name, 'short'])),
    )
    expect(found?.edits).toHaveLength(200)
    expect(found?.edits.at(-1)).toEqual({ field: 'field199', source: 'text', changed: true, truncated: true })
  })

  test('a change that is not compared counts as heavy', () => {
    const names = Array.from({ length: 5 }, (_, n) => `field${n}`)
    const text = 'word '.repeat(100_000)
    const found = editsOf(
      form(Object.fromEntries(names.map((name) => [name, 'text']))),
      { text },
      { ...Object.fromEntries(names.map((name) => [name, text])), field4: 'short' },
    )
    expect(found?.edits.at(-1)).toEqual({ field: 'field4', source: 'text', changed: true, truncated: true })
    expect(found?.level).toBe('heavy')
  })
})

/** Defines each property, because assigning `__proto__` would change the prototype. */
function objectFrom(entries: [string, unknown][]): object {
  const object = {}
  for (const [name, value] of entries)
    Object.defineProperty(object, name, { value, enumerable: true, writable: true, configurable: true })
  return object
}

function applyJsonPatch(before: unknown, patch: readonly PatchOperation[]): unknown {
  let result = structuredClone(before)
  for (const operation of patch) {
    const names = operation.path
      .split('/')
      .slice(1)
      .map((name) => name.replaceAll('~1', '/').replaceAll('~0', '~'))
    const last = names.pop()
    const value = operation.op === 'remove' ? undefined : structuredClone(operation.value)
    if (last === undefined) {
      result = value
      continue
    }
    // biome-ignore lint/suspicious/noExplicitAny: lists and objects alike
    const parent = names.reduce((at: any, name) => Object.getOwnPropertyDescriptor(at, name)!.value, result)
    if (Array.isArray(parent)) {
      if (operation.op === 'remove') parent.splice(Number(last), 1)
      else parent.splice(Number(last), operation.op === 'replace' ? 1 : 0, value)
    } else if (operation.op === 'remove') delete parent[last]
    else Object.defineProperty(parent, last, { value, enumerable: true, writable: true, configurable: true })
  }
  return result
}
