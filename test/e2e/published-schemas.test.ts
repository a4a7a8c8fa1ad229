import { spawnSync } from 'node:child_process'
import { RE2JS } from 're2js'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openMcpSession } from '../support/mcp-session.ts'
import { geminiProblems, type JsonSchema, openAiProblems, walkSchemas } from '../support/provider-schemas.ts'
import { startService, type TestService } from '../support/service.ts'

type Tool = { name: string; inputSchema: JsonSchema; outputSchema: JsonSchema }

describe('published schemas can be read by every model provider and client', () => {
  let service: TestService
  let tools: Tool[]
  let openApi: object
  beforeAll(async () => {
    service = await startService()
    const { apiKey } = await service.workspace()
    tools = (await (await openMcpSession(service.url, apiKey)).request('tools/list')).body.result.tools
    openApi = (await (await fetch(`${service.url}/api/v1/openapi.json`)).json()) as object
  })
  afterAll(() => service.stop())

  test('every pattern compiles in Python, in ECMAScript without the u flag, and in RE2', () => {
    const patterns = [...new Set(patternsIn([tools, openApi]))]
    expect(patterns.length).toBeGreaterThan(3)
    expect(rejectedPatterns(patterns)).toEqual([])
  })

  test('and that check rejects patterns that one of them does not compile', () => {
    const rejected = ['\\p{Cf}', '(?!a)b', '^(?<=a)b', '(a']
    expect(rejectedPatterns(['^ok$', ...rejected])).toEqual(rejected)
  })

  test('every argument and every field of a result has a description', () => {
    for (const { name, inputSchema, outputSchema } of tools) {
      for (const schema of [inputSchema, outputSchema])
        walkSchemas(schema, (node, path) => {
          if (/\.\w+$/.test(path)) expect(node.description, `${name} ${path}`).toMatch(/^[A-Za-z].*\.$/)
        })
    }
  })

  test('OpenAI and Gemini accept the arguments of all seven tools', () => {
    expect(tools).toHaveLength(7)
    for (const { name, inputSchema } of tools) {
      expect([name, ...openAiProblems(inputSchema)]).toEqual([name])
      expect([name, ...geminiProblems(inputSchema)]).toEqual([name])
    }
  })

  test.each([
    ['a combination at the top level', { type: 'object', properties: {}, anyOf: [] }],
    ['an array without items', { type: 'object', properties: { a: { type: 'array' } } }],
    ['lookaround', { type: 'object', properties: { a: { type: 'string', pattern: '^(?!x)' } } }],
    ['a required name that is not a property', { type: 'object', properties: {}, required: ['a'] }],
    ['allOf', { type: 'object', properties: { a: { allOf: [{ pattern: 'a' }] } } }],
  ])('the check for OpenAI rejects %s', (_, schema) => {
    expect(openAiProblems(schema)).toHaveLength(1)
  })

  test.each([
    ['additionalProperties', { type: 'object', additionalProperties: false }],
    ['two types', { type: 'object', properties: { a: { type: ['string', 'null'] } } }],
    [
      'an empty list of properties',
      { type: 'object', properties: { a: { type: 'object', properties: {} } } },
    ],
    ['another format', { type: 'object', properties: { a: { type: 'string', format: 'email' } } }],
    ['a name with a colon', { type: 'object', properties: { 'ui:widget': { type: 'string' } } }],
    ['no type', { type: 'object', properties: { a: { description: 'Anything.' } } }],
    ['numbers as enum', { type: 'object', properties: { a: { type: 'integer', enum: [1] } } }],
  ])('the check for Gemini rejects %s', (_, schema) => {
    expect(geminiProblems(schema)).toHaveLength(1)
  })

  test('required fields, nullable fields and the top-level fields of results are declared', () => {
    const byName = Object.fromEntries(tools.map((tool) => [tool.name, tool]))
    expect(byName.send_to_human!.inputSchema).toMatchObject({
      required: ['task', 'actions'],
      properties: { task: { required: ['type', 'name', 'description'] } },
    })
    expect(byName.get_feedback_analysis!.outputSchema).toMatchObject({
      properties: { isHealthy: { type: ['boolean', 'null'] } },
    })
    for (const { outputSchema } of tools)
      for (const field of Object.values(outputSchema.properties as Record<string, JsonSchema>))
        expect(field).not.toHaveProperty('properties')
  })

  test('the list of all seven tools stays below 16,000 characters', () => {
    expect(JSON.stringify(tools).length).toBeLessThan(16_000)
  })
})

function* patternsIn(node: unknown): Generator<string> {
  if (typeof node !== 'object' || node === null) return
  for (const [key, value] of Object.entries(node)) {
    if (key === 'pattern' && typeof value === 'string') yield value
    yield* patternsIn(value)
  }
}

function rejectedPatterns(patterns: string[]): string[] {
  const inPython = new Set(rejectedByPython(patterns))
  return patterns.filter(
    (pattern) =>
      inPython.has(pattern) ||
      !compiles(() => new RegExp(pattern)) ||
      !compiles(() => RE2JS.compile(pattern)) ||
      isAmbiguous(pattern),
  )
}

/**
 * Without the u flag, ECMAScript reads \p{Cf} as the letters p{Cf}; and some providers reject all
 * lookaround.
 */
const isAmbiguous = (pattern: string) => /\\[pP]\{|\(\?<?[=!]/.test(pattern)

function compiles(compile: () => unknown): boolean {
  try {
    compile()
    return true
  } catch {
    return false
  }
}

function rejectedByPython(patterns: string[]): string[] {
  const script = `
import json, re, sys
def rejected(pattern):
    try: re.compile(pattern)
    except re.error: return True
print(json.dumps([pattern for pattern in json.load(sys.stdin) if rejected(pattern)]))`
  const run = spawnSync(process.env.PYTHON3_PATH!, ['-c', script], { input: JSON.stringify(patterns) })
  expect(String(run.stderr)).toBe('')
  return JSON.parse(String(run.stdout))
}
