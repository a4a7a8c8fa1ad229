import { describe, expect, onTestFinished, test } from 'vitest'
import { callAs } from '../support/http.ts'
import { setUpMailTests } from '../support/mail-tests.ts'
import { asOwner, moveClock } from '../support/rows.ts'
import { startService, type TestWorkspace } from '../support/service.ts'

describe('invitations cannot be used to send spam', () => {
  const { silent, mailing, acme, mailEnvironment, newAddress, mailsTo, mailingOwner } = setUpMailTests()

  test('three per day to one address across all nodes; another workspace can still invite it', async () => {
    const victim = newAddress('victim')
    const statuses = []
    for (const workspace of [acme, acme, acme, acme, await silent.workspace()])
      statuses.push((await mailingOwner(workspace).post('/invitations', { email: victim })).status)
    expect(statuses).toEqual([201, 201, 201, 429, 201])
    const restarted = await startService(mailEnvironment())
    try {
      const again = await callAs(restarted.url, {
        cookie: acme.owner.cookie,
        origin: restarted.url,
      }).post('/invitations', { email: victim })
      expect(again).toMatchObject({ status: 429, body: { code: 'rate_limited' } })
      expect(Number(again.headers.get('retry-after'))).toBeGreaterThan(3_600)
    } finally {
      await restarted.stop()
    }
    expect(mailsTo(victim)).toHaveLength(4)
  })

  test('twenty per hour by one person; mails that could not be sent do not count', async () => {
    const brown = await silent.workspace()
    const invite = (email: string) => mailingOwner(brown).post('/invitations', { email })
    for (let time = 0; time < 4; time++)
      expect(await invite('refused@example.com')).toMatchObject({
        status: 503,
        body: { detail: expect.stringContaining('could not be emailed') },
      })
    expect((await mailingOwner(brown).get('/invitations')).body.invitations).toEqual([])
    const batch = Array.from({ length: 25 }, () => invite(newAddress('many')))
    const statuses = (await Promise.all(batch)).map(({ status }) => status)
    expect(statuses.filter((status) => status === 201)).toHaveLength(20)
    expect(statuses.filter((status) => status === 429)).toHaveLength(5)
  })

  test('who invites learns that the mail failed, also if the invitation was revoked meanwhile', async () => {
    const brown = await silent.workspace()
    const { service } = mailing.app
    const { sendMail } = service
    onTestFinished(() => {
      service.sendMail = sendMail
    })
    service.sendMail = async () => {
      const [invitation] = (await brown.owner.get('/invitations')).body.invitations
      expect((await brown.owner.delete(`/invitations/${invitation.invitationId}`)).status).toBe(204)
      throw new Error('mailbox unavailable')
    }
    expect(await mailingOwner(brown).post('/invitations', { email: newAddress() })).toMatchObject({
      status: 503,
      body: { detail: expect.stringContaining('could not be emailed') },
    })
  })

  test('100 per day from one workspace, and 20 to one address from all workspaces', async () => {
    const brown = await silent.workspace()
    const email = newAddress('counted')
    const invite = (workspace: TestWorkspace) => mailingOwner(workspace).post('/invitations', { email })
    expect((await invite(acme)).status).toBe(201)
    const setUsed = (used: number, pattern: string) =>
      asOwner(silent.databaseUrl, (client) =>
        client.query('UPDATE rate_counts SET used = $1 WHERE subject ~ $2', [used, pattern]),
      )
    await setUsed(19, '^invited [0-9a-f]{64}$')
    expect((await invite(brown)).status).toBe(201)
    expect((await invite(await silent.workspace())).status).toBe(429)
    const other = { email: newAddress('other') }
    await setUsed(99, `^invitations to ${brown.workspaceId}$`)
    expect((await mailingOwner(brown).post('/invitations', other)).status).toBe(201)
    expect((await mailingOwner(brown).post('/invitations', { email: newAddress('other') })).status).toBe(429)
  })

  test('names cannot add links to the mail or change its subject', async () => {
    const brown = await silent.workspace()
    const named =
      'Reset at https://evil.example/in evil.example www.evil.example evil。example pay@evil.example'
    expect((await mailingOwner(brown).patch('/workspace', { name: named })).status).toBe(200)
    expect((await mailingOwner(brown).patch('/me', { name: 'Bank.example support' })).status).toBe(204)
    const email = newAddress('named')
    expect((await mailingOwner(brown).post('/invitations', { email })).status).toBe(201)
    const { text } = mailsTo(email)[0]!
    expect(text).toContain('Subject: You are invited to a workspace on Handrail')
    const body = text.slice(text.indexOf('\n\n'))
    const decoded = Buffer.from(
      body.replace(/=([0-9A-F]{2})/g, (_, byte) => String.fromCharCode(Number.parseInt(byte, 16))),
      'latin1',
    ).toString('utf8')
    expect(decoded).toContain('evil[.]example')
    expect(decoded).toContain('Bank[.]example support')
    const links = decoded.match(/\w+:\/\/\S+|[\p{L}\p{N}-]+[.。]\p{L}{2,}|\w+@\w+/gu)
    expect(links).toEqual([expect.stringContaining('/invitation#')])
  })

  // Last, because it moves the clock for all tests.
  test('an address can be invited again on the next day', async () => {
    const victim = newAddress('later')
    for (const expected of [201, 201, 201, 429])
      expect((await mailingOwner().post('/invitations', { email: victim })).status).toBe(expected)
    await moveClock(silent.databaseUrl, '24 hours 1 minute')
    expect((await mailingOwner().post('/invitations', { email: victim })).status).toBe(201)
  })
})
