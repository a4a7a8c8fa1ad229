import { render } from '@testing-library/react'
import { expect, test } from 'vitest'
import type { Action } from '../../../../contract/action.ts'
import type { JsonObject } from '../../../../contract/forms/json.ts'
import DraftSummary from './draft-summary.tsx'

const insured = { type: 'boolean', title: 'Insured' }

function summaryOf(properties: object, data: JsonObject) {
  const action = { id: 'send', title: 'Send', schema: { type: 'object', properties } } as unknown as Action
  return render(<DraftSummary action={action} data={data} />).container.textContent
}

test('a checked box is named by its title, also in a list, and an unchecked one is left out', () => {
  const parcels = { type: 'array', items: { type: 'object', properties: { ins: insured } } }
  expect(summaryOf({ ins: insured }, { ins: true })).toBe('Send · Insured')
  expect(summaryOf({ ins: insured }, { ins: false })).toBe('Send')
  expect(summaryOf({ parcels }, { parcels: [{ ins: true }, { ins: false }] })).toBe('Send · Insured')
})

test('a choice between two labels is named by the chosen one', () => {
  expect(summaryOf({ ins: { ...insured, enumNames: ['With', 'Without'] } }, { ins: false })).toBe(
    'Send · Without',
  )
})
