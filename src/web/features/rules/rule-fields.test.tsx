import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { render, screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { useState } from 'react'
import { expect, test, vi } from 'vitest'
import { WorkspaceContext } from '../../lib/workspace.ts'
import { AnswerFields } from './answer-fields.tsx'
import { AppAndTypeFields } from './app-and-type-fields.tsx'
import { ConditionFields } from './condition-fields.tsx'
import type { ConditionDraft, RuleDraft } from './rule-draft.ts'

test('apps and types that could not be loaded are said so, and can be loaded again', async () => {
  const statistics = vi.fn(async () => ({ pairs: [{ app: 'shop', type: 'refund', answers: 3 }] }))
  statistics.mockRejectedValueOnce(new Error('The service could not be reached.'))
  const client = new QueryClient({ defaultOptions: { queries: { retry: false } } })
  render(
    <QueryClientProvider client={client}>
      <WorkspaceContext value={{ api: { statistics }, workspaceId: 'acme' } as never}>
        <AppAndTypeFields app="" type="" error={undefined} onChange={() => undefined} />
      </WorkspaceContext>
    </QueryClientProvider>,
  )
  await userEvent.click(await screen.findByRole('button', { name: 'Try again' }))
  await screen.findByRole('option', { name: 'shop' })
  expect(screen.queryByRole('button', { name: 'Try again' })).toBeNull()
})

test('a field that keeps its value can be set, unless it is read-only', () => {
  const order = { type: 'string', title: 'Order', readOnly: true, default: '17' }
  const currency = { type: 'string', title: 'Currency', default: 'EUR' }
  const schema = { type: 'object', properties: { order, currency } }
  const task = { actions: [{ id: 'pay', title: 'Pay', schema }] }
  render(
    <AnswerFields
      draft={{ actionId: 'pay', data: {}, type: 'refund' } as unknown as RuleDraft}
      query={{ data: task } as never}
      error={undefined}
      formErrors={undefined}
      form={{ current: null }}
      onChange={() => undefined}
    />,
  )
  screen.getByText('Order')
  expect(screen.getAllByRole('button').map(({ textContent }) => textContent)).toEqual([
    'Set a value for Currency',
  ])
})

test('after the last condition was removed, the focus is on the button that adds one', async () => {
  function Form() {
    const [when, setWhen] = useState<ConditionDraft[]>([
      { field: 'amount', is: 'equals', value: '1' },
      { field: 'vip', is: 'equals', value: 'true' },
    ])
    return <ConditionFields when={when} fields={[]} errorOf={() => undefined} onChange={setWhen} />
  }
  render(<Form />)
  await userEvent.click(screen.getByRole('button', { name: 'Remove condition 1' }))
  expect(document.activeElement?.getAttribute('aria-label')).toBe('Remove condition 1')
  await userEvent.click(screen.getByRole('button', { name: 'Remove condition 1' }))
  expect(document.activeElement).toBe(screen.getByRole('button', { name: 'Add a condition' }))
})
