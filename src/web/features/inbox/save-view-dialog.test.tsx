import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { render, screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { beforeAll, expect, test } from 'vitest'
import { HandrailProblem } from '../../../client/problem.ts'
import { WorkspaceContext } from '../../lib/workspace.ts'
import { noInboxFilters } from '../../parts/task-list/inbox-filters.ts'
import SaveViewDialog from './save-view-dialog.tsx'

// Loaded lazily, which takes seconds on a busy machine.
beforeAll(() => import('../../ui/dialog-window.tsx'))

async function saveView(path: string) {
  const api = {
    views: async () => ({ views: [], shared: [] }),
    saveViews: async () => {
      throw new HandrailProblem({
        type: 'about:blank',
        title: 'Invalid request',
        status: 400,
        code: 'invalid_request',
        detail: 'The request is invalid.',
        errors: [{ path, message: 'At most 20 views.' }],
        requestId: 'req_1',
      })
    },
  }
  const session = { api, workspaceId: 'acme', me: { person: { userId: 'mara' }, workspaces: [] } }
  render(
    <QueryClientProvider client={new QueryClient()}>
      <WorkspaceContext value={session as never}>
        <SaveViewDialog filters={noInboxFilters} onClose={() => undefined} />
      </WorkspaceContext>
    </QueryClientProvider>,
  )
  await userEvent.type(await screen.findByLabelText('Name'), 'Refunds')
  await userEvent.click(screen.getByRole('button', { name: /Save view/ }))
}

test('an error that belongs to no field is shown above the form', async () => {
  await saveView('views')
  expect((await screen.findByRole('alert')).textContent).toBe("The view wasn't saved. At most 20 views.")
})

test('an error that a field shows is not repeated', async () => {
  await saveView('views[3].name')
  await screen.findByText('At most 20 views.')
  expect(screen.queryByText(/The view wasn't saved/)).toBeNull()
})
