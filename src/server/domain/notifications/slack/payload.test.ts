import { expect, test } from 'vitest'
import { readSlackRequest } from './payload.ts'

test('a command with a long text is read, so that its sender gets an answer', () => {
  const text = `link ${'A'.repeat(3_000)}`
  const body = new URLSearchParams({ team_id: 'T1', user_id: 'U1', channel_id: 'C1', text }).toString()
  expect(readSlackRequest(body)).toMatchObject({ kind: 'command', command: { text } })
})

test('a closed form and a body that is not from Slack are ignored', () => {
  const closed = JSON.stringify({ type: 'view_closed', team: { id: 'T1' }, user: { id: 'U1' } })
  expect(readSlackRequest(new URLSearchParams({ payload: closed }).toString())).toBeUndefined()
  expect(readSlackRequest('{}')).toBeUndefined()
})
