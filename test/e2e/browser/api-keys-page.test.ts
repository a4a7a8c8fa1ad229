import { describe, expect, test } from 'vitest'
import { setUpBrowserTests } from '../../support/browser-tests.ts'
import { callAs } from '../../support/http.ts'
import { taskPayload } from '../../support/service.ts'

describe('API keys are managed in the settings', () => {
  const { service, acme, visit } = setUpBrowserTests()

  const statusWith = async (key: string) =>
    (await callAs(service.url, { 'x-api-key': key }).get('/me')).status

  test('a key is created, shown once, rotated and revoked, and the agent is rejected afterwards', async () => {
    const { page } = await visit(`/w/${acme.workspaceId}/settings/api-keys`)
    await page.getByLabel('Key name').fill('refund-agent')
    await page.getByLabel('Expires').selectOption('In 90 days')
    await page.getByRole('button', { name: 'Create key' }).click()
    const box = page.getByRole('region', { name: 'New key' })
    const first = await box.locator('code').innerText()
    expect(await statusWith(first)).toBe(200)

    await page.getByRole('button', { name: 'Rotate refund-agent' }).click()
    const rotate = page.getByRole('dialog', { name: 'Rotate refund-agent?' })
    await rotate.getByLabel('Immediately').check()
    await rotate.getByRole('button', { name: 'Rotate' }).click()
    await expect.poll(() => box.locator('code').innerText()).not.toBe(first)
    const second = await box.locator('code').innerText()
    expect(await statusWith(second)).toBe(200)
    await expect.poll(() => statusWith(first)).toBe(401)

    // After leaving the page, only the first and last characters of the key are shown.
    await page.getByRole('link', { name: 'Members' }).click()
    await page.getByRole('link', { name: 'API keys' }).click()
    const row = page.getByRole('listitem').filter({ hasText: 'refund-agent' })
    await row.getByText(`${second.slice(0, 8)}…${second.slice(-4)}`).waitFor()
    expect(await page.content()).not.toContain(second)

    await page.getByRole('button', { name: 'Revoke refund-agent' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Revoke key' }).click()
    await row.getByText('Revoked just now').waitFor()
    await expect.poll(() => statusWith(second)).toBe(401)
    await expect.poll(() => row.getByRole('button').count()).toBe(0)

    await page.getByRole('link', { name: 'Audit log' }).click()
    const audit = page.getByRole('list', { name: 'Audit log' })
    await page.getByLabel('Action').selectOption('Revoked an API key')
    await expect.poll(() => audit.getByRole('listitem').count()).toBe(1)
    const download = page.waitForEvent('download')
    await page.getByRole('link', { name: 'Export as CSV' }).click()
    expect((await download).suggestedFilename()).toMatch(/^handrail-audit-to-\d+\.csv$/)
  })

  test('a key is limited when it is created, and the list shows to what', async () => {
    const { page } = await visit(`/w/${acme.workspaceId}/settings/api-keys`)
    await page.getByLabel('Key name').fill('invoice-agent')
    await page.getByText('Limit the key to apps, task types or networks').click()
    await page.getByLabel('Apps').fill('invoices, refunds')
    await page.getByLabel('Networks').fill('everywhere')
    await page.getByRole('button', { name: 'Create key' }).click()
    await page.getByText('Must be a network such as 203.0.113.0/24, or an IP address.').waitFor()
    await page.getByLabel('Networks').fill('127.0.0.1, ::1')
    await page.getByRole('button', { name: 'Create key' }).click()
    const key = await page.getByRole('region', { name: 'New key' }).locator('code').innerText()
    const row = page.getByRole('listitem').filter({ hasText: 'invoice-agent' })
    await row
      .getByText('Limited to the apps invoices, refunds · the networks 127.0.0.1/32, ::1/128')
      .waitFor()
    expect(await statusWith(key)).toBe(200)
    const agent = callAs(service.url, { 'x-api-key': key })
    expect((await agent.post('/tasks', taskPayload({ app: 'invoices' }))).status).toBe(201)
    expect((await agent.post('/tasks', taskPayload())).status).toBe(403)
  })
})
