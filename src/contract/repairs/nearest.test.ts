import { expect, test } from 'vitest'
import { nearest, nearestTypo } from './nearest.ts'

const fields = ['callbackUrl', 'priority', 'type', 'waitSeconds', 'task']

test.each([
  ['callback_url', 'callbackUrl'],
  ['Callback-URL', 'callbackUrl'],
  ['prioritty', 'priority'],
  ['tpye', 'type'],
  ['callback', 'callbackUrl'],
  ['wait', 'waitSeconds'],
  ['task_type', 'type'],
])('%s is nearest to %s', (name, expected) => {
  expect(nearest(name, fields)).toBe(expected)
})

test.each(['name', 'title', 'ui', 'id', '', 'x'.repeat(1_000_000)])('nothing is near to case %#', (name) => {
  expect(nearest(name, fields)).toBeUndefined()
})

test('a name that contains another is no typo of it', () => {
  expect(nearestTypo('patternProperties', ['properties'])).toBeUndefined()
  expect(nearestTypo('propertes', ['properties'])).toBe('properties')
})
