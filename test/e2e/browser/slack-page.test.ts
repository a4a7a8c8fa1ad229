import { randomBytes } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { expectAccessibleLayout } from '../../support/accessible-layout.ts'
import { setUpBrowserTests } from '../../support/browser-tests.ts'
import { connectToSlack, type FakeSlack, startFakeSlack } from '../../support/fake-slack.ts'

describe('Slack in the settings', () => {
  const environment: Record<string, string> = {}
  let slack: FakeSlack
  // Before the service starts, which needs the address.
  beforeAll(async () => {
    slack = await startFakeSlack()
    environment.SLACK_API_URL = slack.url
  })
  afterAll(() => slack.stop())
  const { service, acme, visit } = setUpBrowserTests({ environment, freshWorkspace: true })
  const settings = (page: string) => `/w/${acme.workspaceId}/settings/${page}`

  test('an admin connects it, chooses a channel, tests it and disconnects', async () => {
    const { policyId } = (await acme.owner.post('/policies', { app: 'bank', needed: 1 })).body
    const { page } = await visit(settings('slack'))
    await page.getByLabel('Bot User OAuth Token').fill('xoxb-T1-revoked')
    await page.getByLabel('Signing Secret').fill(randomBytes(16).toString('hex'))
    await page.getByRole('button', { name: 'Connect', exact: true }).click()
    await page.getByText('The bot token was revoked.').waitFor()
    await page.getByLabel('Bot User OAuth Token').fill('xoxb-T1-token')
    await page.getByRole('button', { name: 'Connect', exact: true }).click()
    await page.getByText(/Connected to Team T1 since .* No member has linked their Slack user\./).waitFor()
    expect(await page.content()).not.toContain('xoxb-T1-token')

    await page.getByLabel('Channel ID').fill('refunds')
    await page.getByLabel('Name').fill('#refunds')
    await page.getByRole('button', { name: 'Save channels' }).click()
    await page.getByText('Must be the id of a Slack channel, such as C0123456789.').waitFor()
    await page.getByLabel('Channel ID').fill('C0123456789')
    await page.getByLabel('Tasks', { exact: true }).selectOption('Tasks of app bank')
    await page.getByLabel('Priorities').selectOption('Urgent')
    await page.getByRole('button', { name: 'Save channels' }).click()
    await page.locator('.strip').getByText('The channels were saved.').waitFor()
    await page.getByRole('button', { name: 'Send test message to #refunds' }).click()
    await page.locator('.strip').getByText('The test message to #refunds is on its way.').waitFor()
    await expect.poll(() => slack.inChannel('C0123456789').length).toBe(1)

    await page.reload()
    await page.getByRole('group', { name: '#refunds' }).waitFor()
    expect(await page.getByLabel('Priorities').inputValue()).toBe('urgent')
    expect(await page.getByLabel('Tasks', { exact: true }).inputValue()).toBe(policyId)
    await expectAccessibleLayout(page)
    await page.getByRole('button', { name: 'Disconnect' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Disconnect' }).click()
    await page.getByLabel('Bot User OAuth Token').waitFor()
    expect((await acme.owner.get('/slack')).body.connection).toBeUndefined()
  })

  test('a member links their Slack user with a code, chooses messages there, and unlinks it', async () => {
    const app = await connectToSlack(service.url, acme)
    const { page } = await visit(settings('notifications'))
    expect(await page.getByRole('checkbox', { name: 'Slack Urgent' }).isDisabled()).toBe(true)
    await page.getByText('Link your Slack user below first.').waitFor()
    await page.getByRole('button', { name: 'Link my Slack user' }).click()
    const command = await page.getByText('/handrail link ').innerText()
    await page.getByText(/once, (9|10) min left/).waitFor()
    await page.setViewportSize({ width: 390, height: 844 })
    await expectAccessibleLayout(page)
    await app.command('U0000000001', command.replace('/handrail ', ''))
    await page.getByText('Linked to Mara in Slack').waitFor()
    await page.getByRole('checkbox', { name: 'Slack Urgent' }).click()
    await page.getByText('Urgent tasks: Slack immediately.').waitFor()

    await page.getByRole('button', { name: 'Unlink' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Unlink' }).click()
    await page.getByRole('button', { name: 'Link my Slack user' }).waitFor()
  })
})
