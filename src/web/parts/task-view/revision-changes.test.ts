import { expect, test } from 'vitest'
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
  expect(revisionChanges(content, after)).toEqual([
    { label: 'Name', values: [{ path: [], before: 'Refund?', after: 'Refund part?' }] },
    { label: 'Amount', values: [{ path: [], before: 178, after: 89 }] },
    {
      label: 'Address',
      values: [
        { path: ['city'], before: 'Porto', after: 'Lisbon' },
        { path: ['lines', '1'], before: 'b', after: undefined },
      ],
    },
    { label: 'due/by', values: [{ path: [], before: undefined, after: 'Friday' }] },
    { label: 'Note', values: [{ path: [], before: 'x', after: undefined }] },
    { label: 'Display of the fields', values: [] },
    { label: 'Action “Yes, part”', values: [{ path: ['title'], before: 'Yes', after: 'Yes, part' }] },
    { label: 'Action “Later”', values: [{ path: [], before: undefined, after: 'Later' }] },
    { label: 'Action “No”', values: [{ path: [], before: 'No', after: undefined }] },
  ])
  expect(revisionChanges(content, content)).toEqual([])
})

test('fields that are compared blind are named without their values', () => {
  const after = { ...content, context: { data: { ...content.context.data, refund: 89 } } }
  expect(revisionChanges(content, after, new Set(['refund']))).toEqual([{ label: 'Refund', values: [] }])
})
