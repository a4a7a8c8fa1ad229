import { describe, expect, it } from 'vitest'
import { checkPayload } from '../check-payload.ts'
import { checkRevisedPayload } from '../check-revision.ts'
import { CreateTask } from '../create-task.ts'
import { checkAnswer } from '../forms/check-answer.ts'
import { Revision } from '../task-update.ts'
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
  it('replies to questions where an example accepts them, with a revision that the service accepts', () => {
    for (const { id, payload, replies } of examples) {
      expect(replies !== undefined, id).toBe(payload.acceptsQuestions === true)
      if (!replies?.changes) continue
      const { task, ...parts } = Revision.parse(replies.changes.revision)
      const revised = CreateTask.parse({ ...payload, ...parts, task: { ...payload.task, ...task } })
      expect(checkRevisedPayload(revised, patterns)).toEqual([])
      expect(revised).not.toEqual(payload)
    }
  })
})
