import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { fireEvent, render, screen, waitFor } from '@testing-library/react'
import { expect, test, vi } from 'vitest'
import { WorkspaceContext } from '../../lib/workspace.ts'
import { KeyForm } from './key-form.tsx'

test('submitting twice creates one key', async () => {
  const createApiKey = vi.fn(() => new Promise(() => undefined))
  const session = { me: {}, workspaceId: 'wsp_1', api: { createApiKey } } as never
  render(
    <QueryClientProvider client={new QueryClient()}>
      <WorkspaceContext value={session}>
        <KeyForm onCreated={() => undefined} />
      </WorkspaceContext>
    </QueryClientProvider>,
  )
  const form = screen.getByLabelText('Key name').closest('form')!
  fireEvent.submit(form)
  await waitFor(() => expect(screen.getByRole('button').textContent).toBe('Creating…'))
  fireEvent.submit(form)
  // A second request would be sent by the next timeout.
  await new Promise((resolve) => setTimeout(resolve))
  expect(createApiKey).toHaveBeenCalledOnce()
})
