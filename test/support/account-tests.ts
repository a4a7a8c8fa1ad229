import { afterAll, beforeAll, expect } from 'vitest'
import { totpCode } from './authenticator.ts'
import { callAs } from './http.ts'
import { startMailServer } from './mail-server.ts'
import { startService, type TestService, type TestWorkspace, testPassword } from './service.ts'

type MailServer = Awaited<ReturnType<typeof startMailServer>>

/**
 * A service with mail, and helpers for tests about accounts. `service`, `mail` and `acme` are
 * filled in a beforeAll hook.
 */
export function setUpAccountTests() {
  const service = {} as TestService
  const mail = {} as MailServer
  const acme = {} as TestWorkspace
  beforeAll(async () => {
    Object.assign(mail, await startMailServer())
    const environment = { SMTP_URL: mail.url, MAIL_FROM: 'handrail@example.com', TRUST_PROXY: '1' }
    Object.assign(service, await startService(environment))
    Object.assign(acme, await service.workspace())
  })
  afterAll(async () => {
    await service.stop()
    await mail.stop()
  })

  const post = async (
    path: string,
    body: object,
    cookie = '',
    at = service.url,
    headers: Record<string, string> = {},
  ) => {
    const response = await fetch(`${at}/api/auth${path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', origin: at, cookie, ...headers },
      body: JSON.stringify(body),
    })
    const cookies = response.headers
      .getSetCookie()
      .filter((line) => !/Max-Age=0/i.test(line))
      .map((line) => line.split(';')[0]!)
      .join('; ')
    return { status: response.status, body: await response.json(), cookies, headers: response.headers }
  }

  return {
    service,
    mail,
    acme,
    /** Sends a POST below /api/auth. */
    post,
    signIn: (email: string, password = testPassword, at = service.url) =>
      post('/sign-in/email', { email, password }, '', at),
    meWith: (cookie: string) => callAs(service.url, { cookie }).get('/me'),
    /** The audited actions about a member, oldest first. */
    async actionsOf(email: string): Promise<string[]> {
      const { members } = (await acme.owner.get('/members')).body
      const { userId } = members.find((one: { email: string }) => one.email === email)
      const { entries } = (await acme.owner.get(`/audit?subject=${userId}`)).body
      return entries.map(({ action }: { action: string }) => action).reverse()
    },
    /** A member who has enabled two-factor with the current code: the next one is still unused. */
    async withTwoFactor() {
      const person = await acme.person()
      const enabled = (await post('/two-factor/enable', { password: testPassword }, person.cookie)).body
      const confirmed = await post(
        '/two-factor/verify-totp',
        { code: totpCode(enabled.totpURI) },
        person.cookie,
      )
      expect(confirmed.status).toBe(200)
      const { totpURI, backupCodes } = enabled as { totpURI: string; backupCodes: string[] }
      return { ...person, totpURI, backupCodes, cookie: confirmed.cookies }
    },
  }
}
