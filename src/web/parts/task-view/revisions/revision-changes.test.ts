import { expect, test } from 'vitest'
import { changesInContext } from './changes-in-context.ts'
import { revisionChanges } from './revision-changes.ts'

const content = {
  name: 'Refund?',
  description: 'The parcel came back.',
  context: { data: { refund: 178, address: { city: 'Porto', lines: ['a', 'b'] }, note: 'x' } },
  actions: [
    { id: 'yes', title: 'Yes' },
    { id: 'no', title: 'No' },
  ],
}

test('a revision lists each part that changed once, with the values that differ in it', () => {
  const after = {
    ...content,
    name: 'Refund part?',
    context: {
      data: { refund: 89, address: { city: 'Lisbon', lines: ['a'] }, 'due/by': 'Friday' },
      ui: { refund: { 'ui:title': 'Amount' } },
    },
    actions: [
      { id: 'yes', title: 'Yes, part' },
      { id: 'later', title: 'Later' },
    ],
  }
  const changes = revisionChanges(content, after)
  // A field that is new has nothing to compare, and one that was removed is not shown.
  expect([...changesInContext(changes).keys()]).toEqual(['refund', 'address'])
  expect(changes).toEqual([
    { label: 'Name', values: [{ path: [], before: 'Refund?', after: 'Refund part?' }] },
    { label: 'Amount', field: 'refund', values: [{ path: [], before: 178, after: 89 }] },
    {
      label: 'Address',
      field: 'address',
      values: [
        { path: ['city'], before: 'Porto', after: 'Lisbon' },
        { path: ['lines', '1'], before: 'b', after: undefined },
      ],
    },
    { label: 'due/by', field: 'due/by', values: [{ path: [], before: undefined, after: 'Friday' }] },
    { label: 'Note', field: 'note', values: [{ path: [], before: 'x', after: undefined }] },
    { label: 'Display of the fields', values: [] },
    { label: 'Action “Yes, part”', values: [{ path: ['title'], before: 'Yes', after: 'Yes, part' }] },
    { label: 'Action “Later”', values: [{ path: [], before: undefined, after: 'Later' }] },
    { label: 'Action “No”', values: [{ path: [], before: 'No', after: undefined }] },
  ])
  expect(revisionChanges(content, content)).toEqual([])
})

test('fields that are compared blind are named without their values', () => {
  const after = { ...content, context: { data: { ...content.context.data, refund: 89 } } }
  const changes = revisionChanges(content, after, new Set(['refund']))
  expect(changes).toEqual([{ label: 'Refund', field: 'refund', values: [] }])
  expect(changesInContext(changes).size).toBe(0)
})
