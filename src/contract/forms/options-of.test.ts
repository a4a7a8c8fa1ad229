import { expect, test } from 'vitest'
import { optionsOf } from './options-of.ts'

const schema = { type: 'string', enum: ['a', 'b'], enumNames: ['First', 'Second'] }
const labels = (hints: object) => optionsOf(schema, { ...hints })?.map(({ label }) => label)

test('names in the hints take precedence, as a list or as an object with a name per value', () => {
  expect(labels({})).toEqual(['First', 'Second'])
  expect(labels({ 'ui:enumNames': ['One', 'Two'] })).toEqual(['One', 'Two'])
  expect(labels({ 'ui:enumNames': { a: 'One', b: 'Two' } })).toEqual(['One', 'Two'])
  expect(labels({ 'ui:options': { enumNames: { b: 'Two' } } })).toEqual(['a', 'Two'])
})

test('a list of names that does not fit the values is ignored', () => {
  expect(labels({ 'ui:enumNames': ['One'] })).toEqual(['First', 'Second'])
})
