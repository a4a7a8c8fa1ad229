import { expect, test } from 'vitest'
import type { TaskExcerpt } from '../messages.ts'
import { adminMail, taskMail, testMail } from './compose-mail.ts'

test('an email about a new task names its priority once, as it is when the email is sent', () => {
  const frame = { workspaceName: 'Acme', inboxUrl: '', unsubscribeUrl: '' }
  const task: TaskExcerpt = {
    name: 'Refund',
    app: 'shop',
    type: 'refund',
    priority: 'urgent',
    snippet: '',
    url: 'https://handrail.example/w/wsp_1/inbox/tsk_1',
    isOpen: true,
    expiresAt: null,
  }
  const factsOf = (body: Parameters<typeof taskMail>[1]) => taskMail(task, body, frame).blocks[0]
  expect(factsOf({ label: 'Low', isNew: true })).toMatchObject({
    label: 'Urgent',
    facts: 'Acme · shop / refund',
  })
  expect(factsOf({ label: 'Reminder' })).toMatchObject({ facts: 'Acme · shop / refund · Urgent priority' })
})

test('an email to admins names the workspace, without a link in its name', () => {
  const frame = { workspaceName: 'Acme evil.example', inboxUrl: '', unsubscribeUrl: '' }
  const { subject, footer } = adminMail({ subject: 'Rule paused: Small', text: '', links: [] }, frame)
  expect(subject).toBe('[Acme evil.example] Rule paused: Small')
  expect(footer!.reason).toBe(
    'You get this email because you are an admin of the workspace Acme evil[.]example.',
  )
})

test('a test email says that it was requested, not that emails are turned on', () => {
  const frame = { workspaceName: 'Acme', inboxUrl: '', unsubscribeUrl: '' }
  expect(testMail(frame).footer!.reason).toBe(
    'You get this email because you sent a test in Settings, Notifications.',
  )
})
