import { expect, test } from 'vitest'
import { checkPayload } from './check-payload.ts'
import { CreateTask } from './create-task.ts'

test('an unknown action of onExpire is refused with the ids of the first actions, and how many more there are', () => {
  const messageWith = (count: number) => {
    const { errors } = checkPayload(
      CreateTask.parse({
        task: { name: 'Which region?', description: 'Choose one.', type: 'region' },
        actions: Array.from({ length: count }, (_, i) => ({ id: `region-${i + 1}`, title: `${i + 1}` })),
        onExpire: { actionId: 'elsewhere' },
        expiresInSeconds: 3600,
      }),
      { patternProblem: () => undefined, matches: () => true },
    )
    return errors.map(({ message }) => message)
  }
  const five = '"region-1", "region-2", "region-3", "region-4", "region-5"'
  expect(messageWith(5)).toEqual([`Must be the id of one of the actions. They are ${five}.`])
  expect(messageWith(7)).toEqual([`Must be the id of one of the actions. They are ${five} and 2 more.`])
})
