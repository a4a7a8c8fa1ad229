import { expect, test } from 'vitest'
import type { Service } from '../service.ts'
import { connectedAppMail, linkedSlackMail, newDeviceMail } from './account-mails.ts'

const service = (passwordSignIn: boolean) =>
  ({ passwordSignIn, publicUrl: 'https://handrail.example' }) as Service
const device = { from: '203.0.113.7', userAgent: 'Mozilla/5.0 (X11; Linux) evil.example' }

test.each([
  ['about a new device', (by: Service) => newDeviceMail(by, device)],
  ['about a connected app', (by: Service) => connectedAppMail(by, { app: 'Helper', workspace: 'Acme' })],
  ['about a linked Slack user', (by: Service) => linkedSlackMail(by, 'Acme')],
])('a mail %s links to a new password only where people sign in with one', (_, mail) => {
  expect(JSON.stringify(mail(service(true)))).toContain('https://handrail.example/forgot-password')
  const withoutPasswords = JSON.stringify(mail(service(false)))
  expect(withoutPasswords).not.toMatch(/password/)
  expect(withoutPasswords).toContain('Sign out everywhere')
})

test('a mail about a new device shows the address and the browser as they are, without links', () => {
  const lines = newDeviceMail(service(true), device).blocks.find(({ kind }) => kind === 'lines')
  expect(lines).toMatchObject({
    lines: ['IP address: 203.0.113.7', 'Browser: Mozilla/5.0 (X11; Linux) evil[.]example'],
  })
})
