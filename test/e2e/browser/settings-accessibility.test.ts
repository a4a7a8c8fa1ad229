import { beforeAll, describe, expect, test } from 'vitest'
import { expectAccessibleAlsoOnPhones, expectAccessibleLayout } from '../../support/accessible-layout.ts'
import { setUpBrowserTests } from '../../support/browser-tests.ts'
import type { TestWorkspace } from '../../support/service.ts'

/**
 * Pages in the navigation, each with a text that shows that it has loaded. The webhooks and the audit
 * log are checked with their content.
 */
const pages = [
  ['Workspace', 'Workspace ID'],
  ['Members', 'Mara Member'],
  ['Invitations', 'ines@shop.example'],
  ['Notifications', 'What is sent to you'],
  ['Slack', 'Create the Slack app'],
  ['Preferences', 'Theme'],
  ['Shortcuts', 'Mark done'],
] as const

describe('the settings are accessible, light and dark, also on phones', () => {
  const { acme, blankTab } = setUpBrowserTests({
    workspaceName: 'A workspace with a name that is longer than any nav is wide',
  })
  let member: Awaited<ReturnType<TestWorkspace['person']>>
  beforeAll(async () => {
    member = await acme.person('member', 'Mara Member')
    await acme.owner.post('/invitations', { email: 'ines@shop.example' })
    const { keyId } = (await acme.owner.post('/api-keys', { name: 'retired' })).body
    await acme.owner.delete(`/api-keys/${keyId}`)
    // Nothing listens on this port, so the delivery stays pending.
    await acme.owner.post('/webhooks/test', { url: 'http://127.0.0.1:1/a/very/long/address/of/a/receiver' })
  })

  test('every page, an owner’s view, with a new key, a dialog, and a delivery in detail', async () => {
    const { page, go } = await blankTab({ height: 900 })
    await go(`/w/${acme.workspaceId}/settings/account`)
    const nav = page.getByRole('navigation', { name: 'Settings' })
    for (const [name, words] of pages) {
      await nav.getByRole('link', { name, exact: true }).click()
      await page.getByRole('heading', { level: 1, name, exact: true }).waitFor()
      await page.locator('main').getByText(words).first().waitFor()
      await expect.poll(() => page.locator('.skeleton').count()).toBe(0)
      await expectAccessibleAlsoOnPhones(page)
    }

    await nav.getByRole('link', { name: 'API keys', exact: true }).click()
    await page.getByLabel('Key name').fill('a key')
    await page.getByRole('button', { name: 'Create key' }).click()
    await page.getByRole('region', { name: 'New key' }).waitFor()
    await expectAccessibleAlsoOnPhones(page)
    await page.getByRole('button', { name: 'Rotate a key' }).click()
    await page.getByRole('dialog').waitFor()
    await expectAccessibleAlsoOnPhones(page)
    await page.keyboard.press('Escape')
    await page.getByRole('link', { name: 'Webhooks' }).click()
    await page.locator('main').getByText('Webhook secret').first().waitFor()
    await page.getByRole('list', { name: 'Deliveries' }).getByRole('button').first().click()
    await page.getByText('"type": "service/test"').waitFor()
    await expectAccessibleAlsoOnPhones(page)
  })

  test('the member’s view, with what a member may not do, and on a phone the list of pages', async () => {
    const { page, go } = await blankTab({ cookie: member.cookie, height: 900 })
    await go(`/w/${acme.workspaceId}/settings/workspace`)
    await page.getByText('Only owners can change these settings. Ask Olga Owner.').waitFor()
    await expectAccessibleLayout(page)
    await page.setViewportSize({ width: 390, height: 844 })
    await page.getByRole('main').getByRole('link', { name: 'Settings' }).click()
    await page.getByRole('link', { name: 'Workspace' }).waitFor()
    await expectAccessibleLayout(page)
  })
})
