import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { fireEvent, render, screen, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { expect, test, vi } from 'vitest'
import { HandrailProblem } from '../../../../client/problem.ts'
import type { SlackChannel } from '../../../../contract/slack.ts'
import { WorkspaceContext } from '../../../lib/workspace.ts'
import { ChannelForm } from './channel-form.tsx'

const refunds: SlackChannel = { channelId: 'C1', name: '#refunds', for: 'all' }

function show() {
  const setSlackChannels = vi.fn(async () => ({}))
  const client = new QueryClient()
  const page = (saved: SlackChannel[]) => (
    <QueryClientProvider client={client}>
      <WorkspaceContext value={{ api: { setSlackChannels }, workspaceId: 'wsp_1' } as never}>
        <ChannelForm
          saved={saved}
          policies={[{ policyId: 'pol_1', app: 'bank' }] as never}
          groups={[{ groupId: 'grp_1', slug: 'finance', name: 'Finance', members: [] }]}
        />
      </WorkspaceContext>
    </QueryClientProvider>
  )
  const { rerender } = render(page([refunds]))
  return { setSlackChannels, load: (saved: SlackChannel[]) => rerender(page(saved)) }
}

test('channels are no longer called saved once another one is added', async () => {
  show()
  await userEvent.click(screen.getByRole('button', { name: 'Save channels' }))
  const shown = () => document.querySelector('.strip')?.textContent
  await expect.poll(shown).toBe('The channels were saved.')
  await userEvent.click(screen.getByRole('button', { name: 'Add channel' }))
  expect(shown()).toBeUndefined()
})

test('a channel that another admin has added is shown when it is loaded, and saving keeps it', async () => {
  const { setSlackChannels, load } = show()
  const channels: SlackChannel[] = [refunds, { channelId: 'C9', name: '#ops', for: 'urgent' }]
  load(channels)
  fireEvent.click(screen.getByRole('button', { name: 'Save channels' }))
  await vi.waitFor(() => expect(setSlackChannels).toHaveBeenLastCalledWith({ channels }))
})

test('a channel gets the tasks of a policy or of a group, and all are saved together', async () => {
  const { setSlackChannels } = show()
  const choose = (channel: string, label: string, option: string) => {
    const fields = within(screen.getByRole('group', { name: channel }))
    const value = fields.getByRole<HTMLOptionElement>('option', { name: option }).value
    fireEvent.change(fields.getByLabelText(label), { target: { value } })
  }
  choose('#refunds', 'Tasks', 'Tasks of app bank')
  choose('#refunds', 'Priorities', 'Urgent')
  fireEvent.click(screen.getByRole('button', { name: 'Add channel' }))
  const second = within(screen.getByRole('group', { name: 'channel 2' }))
  fireEvent.change(second.getByLabelText('Channel ID'), { target: { value: 'C2' } })
  choose('channel 2', 'Tasks', 'Tasks of group Finance')
  fireEvent.change(second.getByLabelText('Name'), { target: { value: '#finance' } })
  fireEvent.click(screen.getByRole('button', { name: 'Save channels' }))
  const ofGroup = { channelId: 'C2', name: '#finance', for: 'all', groupId: 'grp_1' }
  await vi.waitFor(() =>
    expect(setSlackChannels).toHaveBeenLastCalledWith({
      channels: [{ channelId: 'C1', name: '#refunds', for: 'urgent', policyId: 'pol_1' }, ofGroup],
    }),
  )

  // Another admin deletes the policy.
  const message = 'There is no such policy in this workspace.'
  const errors = [{ path: 'channels[0].policyId', message }]
  setSlackChannels.mockRejectedValueOnce(new HandrailProblem({ status: 400, detail: '', errors } as never))
  fireEvent.click(screen.getByRole('button', { name: 'Save channels' }))
  await screen.findByText(new RegExp(message), { selector: '.strip *' })
  fireEvent.click(screen.getByRole('button', { name: 'Remove #refunds' }))
  fireEvent.click(screen.getByRole('button', { name: 'Save channels' }))
  await vi.waitFor(() => expect(setSlackChannels).toHaveBeenLastCalledWith({ channels: [ofGroup] }))
})
