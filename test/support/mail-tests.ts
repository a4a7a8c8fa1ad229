import { afterAll, beforeAll } from 'vitest'
import { callAs } from './http.ts'
import { startMailServer } from './mail-server.ts'
import { startService, type TestService, type TestWorkspace } from './service.ts'

type MailServer = Awaited<ReturnType<typeof startMailServer>>

/** The token of the link in a mail. */
export const tokenIn = (text: string) => /#([\w-]{43})/.exec(text)![1]!

/**
 * Two services on one database: `silent` sends no mail, `mailing` does. Mail to addresses that
 * start with `refused` is rejected. The services, `mail` and `acme` are filled in a beforeAll hook.
 */
export function setUpMailTests() {
  const mail = {} as MailServer
  const silent = {} as TestService
  const mailing = {} as TestService
  const acme = {} as TestWorkspace
  const mailEnvironment = () => ({
    DATABASE_URL: silent.databaseUrl,
    SMTP_URL: mail.url,
    MAIL_FROM: 'handrail@example.com',
  })
  let addresses = 0
  beforeAll(async () => {
    const reject = (to: string) => (to.startsWith('refused') ? '550 no such mailbox' : undefined)
    Object.assign(mail, await startMailServer(reject))
    Object.assign(silent, await startService())
    Object.assign(mailing, await startService(mailEnvironment()))
    Object.assign(acme, await silent.workspace('Acme'))
  })
  afterAll(async () => {
    await mailing.stop()
    await silent.stop()
    await mail.stop()
  })
  return {
    mail,
    silent,
    mailing,
    acme,
    mailEnvironment,
    /** An address that no other test uses. */
    newAddress: (name = 'ceo') => `${name}-${++addresses}@example.com`,
    mailsTo: (email: string) => mail.mails.filter(({ to }) => to[0] === email),
    /** The owner of a workspace at the service that sends mail. */
    mailingOwner: (workspace = acme) =>
      callAs(mailing.url, {
        cookie: workspace.owner.cookie,
        origin: mailing.url,
        'handrail-workspace': workspace.workspaceId,
      }),
  }
}
