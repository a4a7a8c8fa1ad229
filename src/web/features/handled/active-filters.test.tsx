import { render } from '@testing-library/react'
import { expect, test } from 'vitest'
import { FilterChips } from '../../parts/task-list/filter-chips.tsx'
import { activeFilters } from './active-filters.tsx'
import { filterChoices } from './filter-choices.ts'

const setters = { setFilter: () => undefined, setAnswerFilter: () => undefined }
const options = {
  actionTitles: new Map([
    ['approve', 'Approve'],
    ['approve-all', 'Approve'],
    ['decline', 'Decline'],
  ]),
  ruleNames: new Map([['rul_1', 'Small refunds']]),
  nameOf: (email: string) => (email === 'mara@acme.example' ? 'Mara' : undefined),
  myEmail: 'olga@acme.example',
  ...setters,
}

test.each([
  { by: 'olga@acme.example' },
  { by: 'mara@acme.example' },
  { by: 'service:rule' },
  { by: 'service:timeout' },
  { rule: 'rul_1' },
  { action: 'approve' },
  { action: 'decline' },
  { action: 'unlisted' },
])('%o has the same label in the menu and in the list of filters', (filters) => {
  const choices = filterChoices({ ...options, filters, tasks: [], facets: undefined })
  const chosen = choices.find(({ value, label }) => value !== undefined && label !== 'Status')!
  const { label } = chosen.options.find(({ value }) => value === chosen.value)!
  const { container } = render(
    <FilterChips filters={activeFilters({ ...options, filters })} onClear={() => undefined} />,
  )
  expect(container.querySelector('.chip')?.textContent).toBe(`${chosen.label} ${label}`)
})

test('actions with the same title are told apart by their ids', () => {
  const choices = filterChoices({ ...options, filters: {}, tasks: [], facets: undefined })
  const labels = choices.find(({ label }) => label === 'Action')!.options.map(({ label }) => label)
  expect(labels).toEqual(['Approve (approve)', 'Approve (approve-all)', 'Decline'])
})

test('answers at the deadline are not shown as those of an address', () => {
  const active = activeFilters({ ...options, filters: { by: 'service:timeout' } })
  const { container } = render(<FilterChips filters={active} onClear={() => undefined} />)
  expect(container.querySelector('.chip')?.textContent).toBe('Answered by Deadline')
})

test('bidi control characters in a type are shown as marks', () => {
  const active = activeFilters({ ...options, filters: { type: 'pay\u202e001' } })
  const { container } = render(<FilterChips filters={active} onClear={() => undefined} />)
  expect(container.textContent).toContain('RLO')
})
