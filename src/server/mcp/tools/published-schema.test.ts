import { Validator } from '@cfworker/json-schema'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { examples } from '../../../contract/gallery/examples.ts'
import { toolList, tools } from '../tools.ts'

const taskId = 'tsk_01k9ztqv7e4m8c2n5w6x3y0abd'
const payload = {
  ...examples[0]!.payload,
  metadata: { a: 1 },
  expiresInSeconds: 60,
  onExpire: { actionId: 'a' },
}
const list = { status: 'open', type: 'a', app: 'a', limit: 5, cursor: 'c' }
const accepted: Record<string, object[]> = {
  send_to_human: [payload, ...examples.map((example) => example.payload)],
  get_task: [{ taskId, waitSeconds: 50, include: ['context', 'actions', 'updates'] }],
  send_update: [{ taskId, message: 'm', level: 'working', progress: 12.5 }],
  cancel_task: [{ taskId, reason: 'r' }],
  list_tasks: [
    { ...list, version: '1', priority: 'low', threadId: 't', createdAfter: '2026-11-15T09:30:00Z' },
  ],
  search_tasks: [{ ...list, query: 'refund' }],
  get_feedback_analysis: [{ type: 'a', app: 'a' }],
}

describe('arguments that the server accepts match the schema that clients validate', () => {
  test.each(tools.map(({ name, input }) => [name, input] as const))('%s', (name, input) => {
    const published = new Validator(toolList.find((tool) => tool.name === name)!.inputSchema)
    const counts = { accepted: 0, refused: 0 }
    const check = (args: unknown) => {
      const parsed = input.safeParse(args)
      counts[parsed.success ? 'accepted' : 'refused'] += 1
      if (parsed.success)
        expect(published.validate(JSON.parse(JSON.stringify(parsed.data)))).toMatchObject({ valid: true })
    }
    for (const args of accepted[name]!) check(args)
    expect(counts).toEqual({ accepted: accepted[name]!.length, refused: 0 })
    // Then with one value replaced: by what models typically send instead, and by arbitrary JSON.
    const paths = accepted[name]!.flatMap((args) => pathsIn(args).map((path) => ({ args, path })))
    const replacement = fc.oneof(
      fc.constantFrom(undefined, null, '', '5', -1, 1e9, 'context,actions'),
      fc.jsonValue(),
    )
    fc.assert(
      fc.property(fc.constantFrom(...paths), replacement, ({ args, path }, value) =>
        check(replaced(args, path, value)),
      ),
      { numRuns: 300 },
    )
    expect(counts.accepted).toBeGreaterThan(accepted[name]!.length)
    expect(counts.refused).toBeGreaterThan(0)
  })
})

function pathsIn(value: unknown, path: string[] = []): string[][] {
  if (typeof value !== 'object' || value === null) return [path]
  return Object.entries(value).flatMap(([key, inner]) => [
    ...(path.length > 0 ? [path] : []),
    ...pathsIn(inner, [...path, key]),
  ])
}

function replaced(args: object, path: string[], value: unknown): unknown {
  const copy = structuredClone(args)
  // biome-ignore lint/suspicious/noExplicitAny: walks an arbitrary JSON value
  const parent = path.slice(0, -1).reduce((node: any, key) => node[key], copy)
  parent[path.at(-1)!] = value
  return copy
}
