import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { verifyWebhook } from '../../../src/client/verify-webhook.ts'
import { setUpBrowserTests } from '../../support/browser-tests.ts'
import { startReceiver } from '../../support/receiver.ts'
import { testPassword } from '../../support/service.ts'

describe('webhooks are monitored and redelivered in the settings', () => {
  const { acme, visit } = setUpBrowserTests({ freshWorkspace: true })
  let receiver: Awaited<ReturnType<typeof startReceiver>>
  let isGone = true
  beforeAll(async () => {
    receiver = await startReceiver((_, response) => {
      response.writeHead(isGone ? 410 : 204).end(isGone ? 'Moved away.' : undefined)
    })
  })
  afterAll(() => receiver.stop())

  async function openPage() {
    const { page } = await visit(`/w/${acme.workspaceId}/settings/webhooks`)
    return page
  }

  test('the secret is shown after the password, and after a rotation both are used', async () => {
    const page = await openPage()
    await page.getByRole('button', { name: 'Show secret' }).click()
    const dialog = page.getByRole('dialog', { name: 'Show webhook secret?' })
    await dialog.getByLabel('Password').fill(testPassword)
    await page.keyboard.press('Enter')
    await page.getByText(acme.webhookSecret).waitFor()

    await page.getByRole('button', { name: 'Rotate' }).click()
    await page.getByRole('dialog').getByLabel('Password').fill(testPassword)
    await page.getByRole('dialog').getByRole('button', { name: 'Rotate' }).click()
    await page.getByRole('button', { name: 'Copy old secret' }).waitFor()
    const secrets = await page.locator('.secret-box-box code').allInnerTexts()
    expect(secrets[1]).toBe(acme.webhookSecret)

    await page.getByLabel('Receiver URL').fill(`${receiver.url}/both`)
    await page.getByRole('button', { name: 'Send test event' }).click()
    await expect.poll(() => receiver.received.some(({ path }) => path === '/both')).toBe(true)
    const { headers, body } = receiver.received.find(({ path }) => path === '/both')!
    for (const secret of secrets) {
      expect((await verifyWebhook(headers, body, secret)).type).toBe('service/test')
    }
  })

  test('failed callbacks are reported, inspected and redelivered, one or all at once', async () => {
    isGone = true
    const page = await openPage()
    await page.getByLabel('Receiver URL').fill(`${receiver.url}/gone`)
    await page.getByRole('button', { name: 'Send test event' }).click()
    const log = page.getByRole('list', { name: 'Deliveries' })
    await log.getByText('Stopped: 410 Gone').waitFor()
    await page.reload()
    await page.getByText('1 delivery failed in the last 24 hours.').waitFor()

    await log.getByRole('button', { name: /Failed Response 410/ }).click()
    await log.getByText('Moved away.').waitFor()
    await log.getByText('"type": "service/test"').waitFor()

    await page.getByLabel('State', { exact: true }).selectOption('Delivered')
    await page.getByText('No deliveries match these filters.').waitFor()
    await page.getByLabel('State', { exact: true }).selectOption('Failed')
    isGone = false
    await log.getByRole('button', { name: /^Redeliver: / }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Redeliver' }).click()
    await page.getByText('No deliveries match these filters.').waitFor()
    await page.getByLabel('State', { exact: true }).selectOption('Delivered')
    await log.getByText('Attempt 2').waitFor()

    isGone = true
    for (const path of ['/one', '/two'])
      await acme.owner.post('/webhooks/test', { url: `${receiver.url}${path}` })
    const failed = async () => (await acme.owner.get('/deliveries?state=failed')).body.deliveries
    await expect.poll(async () => (await failed()).length).toBe(2)
    await page.getByLabel('State', { exact: true }).selectOption('Failed')
    await expect.poll(() => log.getByText('Stopped: 410 Gone').count()).toBe(2)
    isGone = false
    await page.getByRole('button', { name: 'Redeliver failed…' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Redeliver' }).click()
    await page.getByText('No deliveries match these filters.').waitFor()
    expect(await failed()).toEqual([])
    await expect.poll(() => receiver.received.filter(({ path }) => path === '/two').length).toBe(2)
  })
})
