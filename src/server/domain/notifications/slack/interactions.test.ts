import { expect, test, vi } from 'vitest'
import type { Service } from '../../service.ts'
import { respondToSlack } from './interactions.ts'

test('a command that fails speaks of the link, not of a task', async () => {
  const log = { error: vi.fn() }
  const service = { log, publicUrl: 'https://handrail.example' } as unknown as Service
  const origin = { workspaceId: 'wsp_1', connection: { teamId: 'T1', token: 't', signingSecret: 's' } }
  const command = { team_id: 'T1', user_id: 'U1', channel_id: 'C1', text: 'link ABCD-EFGH-JK' }
  const response = await respondToSlack(service, origin, { kind: 'command', command }, performance.now())
  expect(log.error).toHaveBeenCalledOnce()
  expect(response).toMatchObject({
    text: 'Handrail could not finish this. Open Settings, Notifications to see whether your Slack user is linked, then try again.',
  })
})
