import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { createSignInLink } from '../../../src/server/domain/workspaces/sign-in-links.ts'
import { setUpBrowserTests, signedOut } from '../../support/browser-tests.ts'
import { callAs } from '../../support/http.ts'
import { startMailServer } from '../../support/mail-server.ts'
import { choose } from '../../support/notifications.ts'
import { connectApp } from '../../support/oauth.ts'
import type { ReceivedMail } from '../../support/read-mail.ts'
import { asOwner, moveClock } from '../../support/rows.ts'
import { insertRule } from '../../support/rules.ts'
import { signedIn, taskPayload, testPassword } from '../../support/service.ts'
import { waitOptions } from '../../support/wait-options.ts'

const mail = await startMailServer()

/** Everything that is stored, by table, without what jobs and limits count. */
async function dump(databaseUrl: string): Promise<Record<string, string[]>> {
  return await asOwner(databaseUrl, async (client) => {
    const { rows: tables } = await client.query<{ name: string }>(
      `SELECT table_name AS name FROM information_schema.tables
       WHERE table_schema = current_schema() AND table_type = 'BASE TABLE'
         AND table_name NOT IN ('rate_counts', 'audit_heads', 'answer_roll_ups') ORDER BY 1`,
    )
    const stored: Record<string, string[]> = {}
    for (const { name } of tables) {
      const { rows } = await client.query<{ row: string }>(
        `SELECT (to_jsonb(t) - '{seq,previous,digest,logged_seq,logged_at}'::text[])::text AS row FROM "${name}" t ORDER BY 1`,
      )
      stored[name] = rows.map(({ row }) => row)
    }
    return stored
  })
}

/** In the text, the HTML and the headers. */
function linksIn({ headers, plain, html }: ReceivedMail): string[] {
  return [
    ...(plain.match(/https?:\/\/\S+/g) ?? []),
    ...[...html.matchAll(/(?:href|src|action)="([^"]*)"/g)].map(([, url]) => url!.replaceAll('&amp;', '&')),
    ...(headers['list-unsubscribe']?.match(/https?:\/\/[^>]+/g) ?? []),
  ]
}

const pageOf = (link: string) => new URL(link).pathname.split('/')[1]!

describe('links that leave the service by email', () => {
  const { service, acme, blankTab, allowProblems } = setUpBrowserTests({
    environment: { SMTP_URL: mail.url, MAIL_FROM: 'handrail@example.com' },
    workspaceName: 'Acme',
  })
  afterAll(() => mail.stop())
  const findMail = (to: string, subject: string | RegExp) =>
    mail.mails.find((one) => one.to.includes(to) && one.headers.subject!.match(subject))
  const received = (to: string, subject: string | RegExp) =>
    vi.waitUntil(() => findMail(to, subject), waitOptions)
  const count = (rows: string) =>
    asOwner(service.databaseUrl, async (client) =>
      Number((await client.query(`SELECT count(*) FROM ${rows}`)).rows[0].count),
    )
  const tokenIn = ({ plain }: ReceivedMail) => /#([\w-]{43})/.exec(plain)![1]!
  let mara: Awaited<ReturnType<typeof acme.person>>

  /** One of each kind of email, by what it is about. */
  async function sendAll(): Promise<Record<string, ReceivedMail>> {
    mara = await acme.person('admin')
    const unverified = await acme.person()
    await mara.put('/notifications', choose({ mail: 'all' }))
    for (const name of ['First', 'Second'])
      await acme.agent.post('/tasks', taskPayload({ priority: 'normal' }, { name }))
    // These are sent while the test waits for the others.
    await mara.post('/notifications/mail/test')
    await insertRule(service.databaseUrl, acme.workspaceId, { ruleId: 'rul_links' })
    expect((await acme.owner.post('/rules/pause-all', {})).body).toEqual({ paused: 1 })
    await signedIn(service.url, mara.email)
    await connectApp(service.url, acme, { person: mara })
    await vi.waitUntil(async () => (await count('held_notifications')) === 2, waitOptions)
    await moveClock(service.databaseUrl, '61 minutes')
    const digest = await received(mara.email, /^2 tasks are waiting/)
    await acme.agent.post('/tasks', taskPayload({ priority: 'urgent' }, { name: 'Third' }))
    await acme.owner.post('/invitations', { email: 'invited@example.com' })
    await callAs(service.url, {}).post('/password-resets', { email: mara.email })
    await asOwner(service.databaseUrl, (client) =>
      client.query('UPDATE users SET email_verified = false WHERE email = $1', [unverified.email]),
    )
    await unverified.post('/me/verification')
    return {
      digest,
      task: await received(mara.email, /^\[Acme\] Third$/),
      test: await received(mara.email, 'can reach you'),
      admins: await received(mara.email, 'Rule paused'),
      invitation: await received('invited@example.com', 'You are invited'),
      reset: await received(mara.email, 'Choose a new password'),
      verification: await received(unverified.email, 'Verify your email'),
      'new sign-in': await received(mara.email, 'New sign-in'),
      'connected app': await received(mara.email, 'An app was connected'),
    }
  }

  let mails: Record<string, ReceivedMail>
  let signInLink: string
  beforeAll(async () => {
    mails = await sendAll()
    signInLink = (await createSignInLink(service.app.service, mara.email)).link
    await vi.waitUntil(async () => (await count(`deliveries WHERE state = 'pending'`)) === 0, waitOptions)
  })

  test('opening them changes nothing, with and without scripts, and they still work afterwards', async () => {
    const links = [...new Set([...Object.values(mails).flatMap(linksIn), signInLink])]
    expect(links.every((link) => link.startsWith(`${service.url}/`))).toBe(true)
    // All pages of a workspace lead a visitor without a session to the sign-in page.
    const onePerPage = new Map(links.map((link) => [pageOf(link), link]))
    expect([...onePerPage.keys()]).toEqual(
      expect.arrayContaining([
        ...['w', 'unsubscribe', 'invitation', 'password-reset', 'forgot-password', 'sign-in-link'],
      ]),
    )
    const before = await dump(service.databaseUrl)
    const visit = await blankTab(signedOut)
    // Signed out, the page of a task learns from a 401 that it must show the sign-in page.
    allowProblems(visit)
    async function prefetchAll() {
      for (const link of links)
        for (const method of ['GET', 'HEAD'])
          for (const cookie of ['', mara.cookie])
            expect((await fetch(link, { method, headers: { cookie, purpose: 'prefetch' } })).status).toBe(200)
    }
    async function openPages() {
      for (const link of onePerPage.values()) {
        await visit.page.goto(link, { waitUntil: 'networkidle' })
        await visit.page.getByRole('heading').first().waitFor()
      }
    }
    await Promise.all([prefetchAll(), openPages()])
    expect(await dump(service.databaseUrl)).toEqual(before)

    const anyone = callAs(service.url, {})
    const post = async (path: string, body: object) => (await anyone.post(path, body)).status
    const invited = { token: tokenIn(mails.invitation!), name: 'Ida', password: testPassword }
    expect(await post('/invitations/accept', invited)).toBe(200)
    expect(await post('/sign-in-links/use', { token: signInLink.split('#')[1] })).toBe(200)
    for (const kind of ['reset', 'verification'])
      expect(
        await post('/password-resets/accept', { token: tokenIn(mails[kind]!), password: 'another password' }),
      ).toBe(204)
  })

  test('the page to unsubscribe says whose emails end, and its button ends them', async () => {
    const link = /<(.*)>/.exec(mails.task!.headers['list-unsubscribe']!)![1]!
    const visit = await blankTab(signedOut)
    allowProblems(visit) // The last link is refused.
    const { page } = visit
    await page.goto(link)
    await page.getByRole('heading', { name: 'Turn off emails?' }).waitFor()
    expect(await page.locator('main').innerText()).toContain(
      `${mara.email} will get no more emails about tasks in Acme.`,
    )
    await page.getByRole('button', { name: 'Turn off emails' }).click()
    await page.getByRole('heading', { name: 'Emails are turned off' }).waitFor()
    expect(await count("notification_routes WHERE medium = 'mail'")).toBe(0)
    await page.reload()
    await page.getByRole('heading', { name: 'Emails are turned off' }).waitFor()
    await page.goto(link.slice(0, -1))
    await page.getByRole('heading', { name: "This link doesn't work" }).waitFor()
  })
})
