import { expect, test } from 'vitest'
import { adminMail } from './compose-mail.ts'

test('an email to admins names the workspace, without a link in its name', () => {
  const frame = { workspaceName: 'Acme evil.example', inboxUrl: '', unsubscribeUrl: '' }
  const { subject, footer } = adminMail({ subject: 'Rule paused: Small', text: '', links: [] }, frame)
  expect(subject).toBe('[Acme evil.example] Rule paused: Small')
  expect(footer!.reason).toBe(
    'You get this email because you are an admin of the workspace Acme evil[.]example.',
  )
})
