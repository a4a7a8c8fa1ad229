import { expect, test } from 'vitest'
import { checkPayload } from '../../../contract/check-payload.ts'
import { CreateTask } from '../../../contract/create-task.ts'
import { checkActionAnswer } from '../../../contract/forms/check-answer.ts'
import { reservedActions } from '../../../contract/reserved-actions.ts'
import { matches, patternProblem } from '../../lib/re2-patterns.ts'
import { createSampleOpenTasks } from './open-tasks.ts'
import { createRandom } from './random.ts'
import { createSampleMonth } from './sample-month.ts'

const now = new Date('2026-11-15T12:00:00.000Z')
const month = createSampleMonth(createRandom(1), now, ['mara@example.com'])
const questions = month.flatMap(({ ending }) =>
  ending.status === 'handled' && ending.question ? [ending.question] : [],
)
const revised = questions.flatMap(({ revised }) => (revised ? [{ payload: revised }] : []))
const open = createSampleOpenTasks(createRandom(1), now)

test('sample tasks are valid requests without warnings', () => {
  // Forms and hints of a kind are the same, so some of each are enough.
  for (const { payload } of [...month.slice(0, 60), ...month.slice(-60), ...revised, ...open]) {
    expect(CreateTask.parse(payload)).toEqual(payload)
    expect(checkPayload(payload, { patternProblem, matches })).toMatchObject({ errors: [], warnings: [] })
  }
})

test('every sample answer is valid for its form', () => {
  const reserved = Object.values(reservedActions).map(({ id }) => id as string)
  for (const { payload, createdAt, ending } of month) {
    expect(ending.at > createdAt && ending.at < now).toBe(true)
    if (ending.status !== 'handled' || reserved.includes(ending.actionId)) continue
    const action = payload.actions.find(({ id }) => id === ending.actionId)!
    expect(checkActionAnswer(action, ending.data, { matches })).toEqual([])
  }
})

test('people ask about a few percent of the tasks, and the agent revises some of them', () => {
  const share = (count: number) => count / month.length
  expect(share(questions.length)).toBeGreaterThan(0.02)
  expect(share(questions.length)).toBeLessThan(0.06)
  expect(share(revised.length)).toBeGreaterThan(0.005)
  expect(new Set(questions.map(({ kind }) => kind))).toEqual(new Set(['question', 'changes']))
  for (const { kind, revised } of questions) expect(revised !== undefined).toBe(kind === 'changes')
})
