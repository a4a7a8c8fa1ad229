import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { render, screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { expect, test, vi } from 'vitest'
import { WorkspaceContext } from '../../../lib/workspace.ts'
import { NotificationsPage } from './notifications-page.tsx'

// Only the chat webhook is tested here.
const none = vi.hoisted(() => () => null)
vi.mock('./browser-notifications.tsx', () => ({ BrowserNotifications: none }))
vi.mock('./media-matrix.tsx', () => ({ MediaMatrix: none, usableMedia: () => [] }))
vi.mock('./push-browsers.tsx', () => ({ PushBrowsers: none }))
vi.mock('./slack-link.tsx', () => ({ SlackLink: none }))

const chat = { host: 'hooks.example.com', for: 'all' }

test.each([
  ['the first', undefined],
  ['another', { host: 'old.example.com', for: 'high' }],
])(
  'saving %s chat webhook is confirmed, and its secret URL does not stay in the field',
  async (_, before) => {
    const wants = { mail: { wants: [] }, push: { wants: [] }, slack: { wants: [] } }
    const api = {
      notifications: async () => ({ ...wants, chat: before }),
      setChat: vi.fn(async () => ({ ...wants, chat })),
      sendTestChat: async () => {
        throw new Error('The service could not be reached.')
      },
    }
    const me = { person: {}, workspaces: [{ workspaceId: 'wsp_1', role: 'admin' }] }
    render(
      <QueryClientProvider client={new QueryClient()}>
        <WorkspaceContext value={{ api, me, workspaceId: 'wsp_1' } as never}>
          <NotificationsPage />
        </WorkspaceContext>
      </QueryClientProvider>,
    )
    await userEvent.type(
      await screen.findByLabelText(before ? 'New webhook URL' : 'Webhook URL'),
      'https://hooks.example.com/secret',
    )
    await userEvent.click(screen.getByRole('button', { name: 'Save' }))
    // Screen readers get the same text in a region of its own, a moment later.
    await screen.findByText('The chat webhook was saved.', { selector: '.strip > span' })
    expect(screen.getByLabelText<HTMLInputElement>('New webhook URL').value).toBe('')
    expect(screen.getByLabelText<HTMLSelectElement>('Notify about').value).toBe('all')
    await userEvent.click(screen.getByRole('button', { name: 'Send test message' }))
    await screen.findByText(/^The test message wasn't sent\./)
  },
)
