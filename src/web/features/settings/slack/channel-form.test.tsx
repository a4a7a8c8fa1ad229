import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { render, screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { expect, test } from 'vitest'
import { WorkspaceContext } from '../../../lib/workspace.ts'
import { ChannelForm } from './channel-form.tsx'

test('channels are no longer called saved once another one is added', async () => {
  const api = { setSlackChannels: async () => ({}) }
  render(
    <QueryClientProvider client={new QueryClient()}>
      <WorkspaceContext value={{ api, workspaceId: 'wsp_1' } as never}>
        <ChannelForm saved={[{ channelId: 'C1', name: '#refunds', for: 'all' }]} policies={[]} groups={[]} />
      </WorkspaceContext>
    </QueryClientProvider>,
  )
  await userEvent.click(screen.getByRole('button', { name: 'Save channels' }))
  const shown = () => document.querySelector('.strip')?.textContent
  await expect.poll(shown).toBe('The channels were saved.')
  await userEvent.click(screen.getByRole('button', { name: 'Add channel' }))
  expect(shown()).toBeUndefined()
})
