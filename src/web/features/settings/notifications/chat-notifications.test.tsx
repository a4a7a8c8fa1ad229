import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { cleanup, render, screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, expect, test, vi } from 'vitest'
import { WorkspaceContext } from '../../../lib/workspace.ts'
import { ChatNotifications } from './chat-notifications.tsx'

afterEach(cleanup)

test('saving a chat webhook is confirmed, and its secret URL does not stay in the field', async () => {
  const api = {
    setChat: vi.fn(async () => ({})),
    sendTestChat: async () => {
      throw new Error('The service could not be reached.')
    },
  }
  const me = { workspaces: [{ workspaceId: 'wsp_1', role: 'admin' }] }
  render(
    <QueryClientProvider client={new QueryClient()}>
      <WorkspaceContext value={{ api, me, workspaceId: 'wsp_1' } as never}>
        <ChatNotifications chat={{ host: 'hooks.example.com', for: 'high' }} />
      </WorkspaceContext>
    </QueryClientProvider>,
  )
  const url = screen.getByLabelText<HTMLInputElement>('New webhook URL')
  await userEvent.type(url, 'https://hooks.example.com/secret')
  await userEvent.click(screen.getByRole('button', { name: 'Save' }))
  await screen.findByText('The chat webhook was saved.')
  expect(url.value).toBe('')
  await userEvent.click(screen.getByRole('button', { name: 'Send test message' }))
  await screen.findByText(/^The test message wasn't sent\./)
})
