import { describe, expect, it } from 'vitest'
import { checkPayload } from '../check-payload.ts'
import { checkAnswer } from '../forms/check-answer.ts'
import { CreateTask } from '../task.ts'
import { examples } from './examples.ts'

const patterns = {
  patternProblem: () => undefined,
  matches: (pattern: string, text: string) => new RegExp(pattern, 'u').test(text),
}

describe('the gallery', () => {
  it('has at least ten examples with unique ids', () => {
    expect(new Set(examples.map(({ id }) => id)).size).toBe(examples.length)
    expect(examples.length).toBeGreaterThanOrEqual(10)
  })

  it.each(examples.map((example) => [example.id, example] as const))(
    'sends %s without a warning',
    (_, { payload }) => {
      const parsed = CreateTask.parse(payload)
      expect(checkPayload(parsed, patterns)).toEqual({ type: payload.task.type, errors: [], warnings: [] })
    },
  )

  it.each(examples.map((example) => [example.id, example] as const))(
    'reports every required field of an empty form of %s',
    (_, { payload }) => {
      for (const { schema } of payload.actions) {
        const required = (schema?.required ?? []) as string[]
        const paths = schema ? checkAnswer(schema, {}, patterns).map(({ path }) => path) : []
        expect(paths).toEqual(required)
      }
    },
  )
})
