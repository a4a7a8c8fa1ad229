import { beforeAll, describe, test } from 'vitest'
import { expectAccessibleLayout, isPhone } from '../../support/accessible-layout.ts'
import { setUpBrowserTests } from '../../support/browser-tests.ts'
import type { TestWorkspace } from '../../support/service.ts'

/** Pages, each with a text that shows that it has loaded. */
const pages = [
  ['workspace', 'Workspace ID'],
  ['members', 'Mara Member'],
  ['invitations', 'ines@shop.example'],
  ['webhooks', 'Webhook secret'],
  ['audit', 'wsp_'],
  ['notifications', 'What is sent to you'],
  ['slack', 'Create the Slack app'],
  ['preferences', 'Theme'],
  ['shortcuts', 'Mark done'],
] as const

describe('the settings are accessible, light and dark', () => {
  const { service, acme, visit } = setUpBrowserTests({
    environment: { CALLBACK_ALLOW_CIDRS: '127.0.0.0/8' },
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

  async function open(path: string, width: number, cookie: string) {
    const { page } = await visit(`/w/${acme.workspaceId}/settings${path}`, {
      cookie,
      width,
      height: isPhone(width) ? 844 : 900,
    })
    return page
  }

  describe.each([1280, 390])('%i px', (width) => {
    test('every page, an owner’s view', async () => {
      const page = await open('', width, acme.owner.cookie)
      for (const [name, words] of pages) {
        await page.goto(`${service.url}/w/${acme.workspaceId}/settings/${name}`)
        await page.locator('main').getByText(words).first().waitFor()
        await expectAccessibleLayout(page)
      }
    })

    test('the member’s view, with what a member may not do', async () => {
      const page = await open(isPhone(width) ? '' : '/workspace', width, member.cookie)
      if (isPhone(width)) await page.getByRole('link', { name: 'Workspace' }).waitFor()
      else await page.getByText('Only owners can change these settings. Ask Olga Owner.').waitFor()
      await expectAccessibleLayout(page)
    })

    test('a new key, a dialog, and a delivery in detail', async () => {
      const page = await open('/api-keys', width, acme.owner.cookie)
      await page.getByLabel('Key name').fill(`a key ${width}`)
      await page.getByRole('button', { name: 'Create key' }).click()
      await page.getByRole('region', { name: 'New key' }).waitFor()
      await expectAccessibleLayout(page)
      await page.getByRole('button', { name: `Rotate a key ${width}` }).click()
      await page.getByRole('dialog').waitFor()
      await expectAccessibleLayout(page)
      await page.goto(`${service.url}/w/${acme.workspaceId}/settings/webhooks`)
      await page.getByRole('list', { name: 'Deliveries' }).getByRole('button').first().click()
      await page.getByText('"type": "service/test"').waitFor()
      await expectAccessibleLayout(page)
    })
  })
})
