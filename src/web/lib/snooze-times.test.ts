import { expect, test } from 'vitest'
import { listSnoozeTimes, toLocalField } from './snooze-times.ts'

const timesAt = (local: string) =>
  listSnoozeTimes(new Date(local).getTime()).map(({ label, until }) => [
    label,
    toLocalField(Date.parse(until)),
  ])

test('snooze times are in an hour, tomorrow at nine and next Monday at nine', () => {
  expect(timesAt('2026-11-18T14:30')).toEqual([
    ['In 1 hour', '2026-11-18T15:30'],
    ['Tomorrow morning', '2026-11-19T09:00'],
    ['Next Monday', '2026-11-23T09:00'],
  ])
})

test('on a Monday, next Monday is a week away; on a Sunday it is tomorrow and listed once', () => {
  expect(timesAt('2026-11-16T08:00').at(-1)).toEqual(['Next Monday', '2026-11-23T09:00'])
  expect(timesAt('2026-11-22T23:30')).toEqual([
    ['In 1 hour', '2026-11-23T00:30'],
    ['Tomorrow morning', '2026-11-23T09:00'],
  ])
})
