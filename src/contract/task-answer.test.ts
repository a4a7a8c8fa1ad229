import { expect, test } from 'vitest'
import { HandleTask } from './task-answer.ts'

test('fields of presented are counted before any is checked, so that many invalid ones are one issue', () => {
  const presented = Object.fromEntries(Array.from({ length: 10_000 }, (_, index) => [`f${index}`, 0]))
  const { error } = HandleTask.safeParse({ actionId: 'a', presented })
  expect(error?.issues.map(({ message }) => message)).toEqual([
    expect.stringMatching(/^Must have at most \d+ fields\.$/),
  ])
  const shown = { drafts: { order: [1, 0], blind: true } }
  expect(HandleTask.parse({ actionId: 'a', presented: shown }).presented).toEqual(shown)
})
