import { expect, test } from 'vitest'
import { reservedActions } from '../../../contract/action.ts'
import { checkPayload } from '../../../contract/check-payload.ts'
import { checkActionAnswer } from '../../../contract/forms/check-answer.ts'
import { CreateTask } from '../../../contract/task.ts'
import { matches, patternProblem } from '../../lib/re2-patterns.ts'
import { inventMonth } from './invented-month.ts'
import { inventOpenTasks } from './open-tasks.ts'
import { createRandom } from './random.ts'

const now = new Date('2026-11-15T12:00:00.000Z')
const month = inventMonth(createRandom(1), now, ['mara@example.com'])
const open = inventOpenTasks(createRandom(1), now)

test('invented tasks are such as an agent could have sent, without a warning', () => {
  // Forms and hints of a kind are alike, so some of each are enough.
  for (const { payload } of [...month.slice(0, 60), ...month.slice(-60), ...open]) {
    expect(CreateTask.parse(payload)).toEqual(payload)
    expect(checkPayload(payload, { patternProblem, matches })).toMatchObject({ errors: [], warnings: [] })
  }
})

test('every invented answer is one that its form takes', () => {
  const reserved = Object.values(reservedActions).map(({ id }) => id as string)
  for (const { payload, createdAt, ending } of month) {
    expect(ending.at > createdAt && ending.at < now).toBe(true)
    if (ending.status !== 'handled' || reserved.includes(ending.actionId)) continue
    const action = payload.actions.find(({ id }) => id === ending.actionId)!
    expect(checkActionAnswer(action, ending.data, { matches })).toEqual([])
  }
})
