import { render, screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import type { PropsWithChildren } from 'react'
import { expect, test, vi } from 'vitest'
import { WorkspaceContext } from '../../lib/workspace.ts'
import type { FilterChoice } from '../../parts/task-list/filter-choice.ts'
import { type HandledFilters, noHandledFilters } from '../../parts/task-list/handled-filters.ts'
import { HandledBar } from './handled-bar.tsx'

vi.mock('../../lib/use-facets.ts', () => ({ useFacets: () => undefined }))
vi.mock('../../lib/use-members.ts', () => ({ useNameOf: () => () => undefined }))
vi.mock('../../parts/task-list/list-bar.tsx', () => ({
  ListBar: ({ choices, children }: PropsWithChildren<{ choices: FilterChoice[] }>) => (
    <>
      {choices.map(({ label, options }) => (
        <ul key={label} aria-label={label}>
          {options.map((option) => (
            <li key={option.value}>{option.label}</li>
          ))}
        </ul>
      ))}
      {children}
    </>
  ),
}))
const me = { person: { email: 'mara@shop.example' } }

test.each<[string, HandledFilters, HandledFilters]>([
  ['on', { when: 'week' }, { by: 'mara@shop.example', when: 'today' }],
  [
    'on, for answers instead of cancelled tasks',
    { status: 'cancelled' },
    { by: 'mara@shop.example', when: 'today' },
  ],
  ['on, instead of other days', { from: '2026-11-01' }, { by: 'mara@shop.example', when: 'today' }],
  ['off', { by: 'me', when: 'today' }, {}],
])(
  '"My answers today" is turned %s, and keeps the search and the other filters',
  async (_, before, after) => {
    const others = { ...noHandledFilters, app: 'shop', q: 'refund' }
    const onFilter = vi.fn()
    render(
      <WorkspaceContext value={{ me } as never}>
        <HandledBar
          isSubheading={false}
          filters={{ ...others, ...before }}
          tasks={[]}
          onFilter={onFilter}
          onSubmitSearch={() => undefined}
          onLeaveSearch={() => undefined}
        />
      </WorkspaceContext>,
    )
    await userEvent.click(screen.getByRole('button', { name: 'My answers today' }))
    expect(onFilter).toHaveBeenCalledExactlyOnceWith({ ...others, ...after })
  },
)

test('an action is named by its newest title, not by the id that replaces a deleted one', () => {
  const titles = ['approve', 'Approve', 'Accept', 'approve']
  const tasks = titles.map((actionTitle) => ({ handled: { actionId: 'approve', actionTitle } }))
  const ignore = () => undefined
  render(
    <WorkspaceContext value={{ me } as never}>
      <HandledBar
        isSubheading={false}
        filters={noHandledFilters}
        tasks={tasks as never}
        onFilter={ignore}
        onSubmitSearch={ignore}
        onLeaveSearch={ignore}
      />
    </WorkspaceContext>,
  )
  const actions = screen.getByRole('list', { name: 'Action' })
  expect(actions.textContent).toBe('Approve')
})
