import type { Page } from 'playwright-core'
import { describe, expect, test } from 'vitest'
import { setUpBrowserTests } from '../../support/browser-tests.ts'
import { testPassword } from '../../support/service.ts'

describe('members are managed in the settings', () => {
  const { service, acme, visit } = setUpBrowserTests({ workspaceName: 'Acme' })

  async function open(path: string, cookie = ''): Promise<Page> {
    const { page } = await visit(path, { cookie })
    return page
  }
  const settings = (page: string) => `/w/${acme.workspaceId}/settings/${page}`

  test('a person is invited, joins, becomes admin, and is removed', async () => {
    const owner = await open(settings('invitations'), acme.owner.cookie)
    await owner.getByLabel('Email').fill('ines@shop.example')
    await owner.getByRole('button', { name: 'Invite' }).click()
    const box = owner.getByRole('region', { name: 'New link' })
    const link = await box.locator('code').innerText()
    expect(link).toContain(`${service.url}/invitation#`)
    await owner.getByRole('list', { name: 'Invitations' }).getByText('ines@shop.example').waitFor()

    const ines = await open(link.slice(service.url.length))
    await ines.getByLabel('Your name').fill('Ines')
    await ines.getByLabel('Password').fill(testPassword)
    await ines.getByRole('button', { name: 'Join' }).click()
    await ines.getByRole('heading', { name: 'No open tasks' }).waitFor()
    await ines.getByRole('link', { name: 'Settings' }).click()
    await ines.getByRole('link', { name: 'API keys' }).click()
    // The page says what members cannot do and whom to ask.
    await ines.getByText('Only admins and owners can view and create API keys. Ask Olga Owner.').waitFor()

    // The link was shown to the owner, so the address is not verified.
    await ines.getByRole('link', { name: 'Your account' }).click()
    await ines.getByText('ask the operator of this service to run').waitFor()
    expect(await ines.getByRole('button', { name: 'Send verification email' }).count()).toBe(0)
    await ines.getByRole('link', { name: 'API keys' }).click()
    await owner.getByRole('link', { name: 'Members' }).click()
    const listed = owner.getByRole('list', { name: 'Members' }).getByRole('listitem')
    await listed.filter({ hasText: 'Ines' }).getByText('not verified').waitFor()
    expect(await listed.filter({ hasText: 'Olga Owner' }).getByText('not verified').count()).toBe(0)
    await owner.getByLabel('Role of Ines').selectOption('admin')
    await owner
      .getByRole('dialog', { name: 'Change the role of Ines to admin?' })
      .getByRole('button', { name: 'Change role' })
      .click()
    await expect.poll(() => owner.getByLabel('Role of Ines').inputValue()).toBe('admin')
    await ines.reload()
    await ines.getByRole('button', { name: 'Create key' }).waitFor()

    await owner.getByRole('button', { name: 'Remove Ines' }).click()
    await owner.getByRole('dialog', { name: 'Remove Ines?' }).getByRole('button', { name: 'Remove' }).click()
    await owner.getByRole('dialog').waitFor({ state: 'detached' })
    await owner.getByText('Ines').waitFor({ state: 'detached' })
    await ines.reload()
    await ines.getByRole('heading', { name: /not a member of this workspace/ }).waitFor()
  })

  test('removing a member shows the API keys they created and revokes them, except those to keep', async () => {
    const admin = await acme.person('admin', 'Ada Admin')
    const names = ['Refund agent', 'Nightly report']
    for (const name of names) expect((await admin.post('/api-keys', { name })).status).toBe(201)
    const owner = await open(settings('members'), acme.owner.cookie)
    await owner.getByRole('button', { name: 'Remove Ada Admin' }).click()
    const dialog = owner.getByRole('dialog', { name: 'Remove Ada Admin?' })
    await dialog.getByText('may have a copy of each secret').waitFor()
    await dialog.getByLabel('Revoke Nightly report').uncheck()
    expect(await dialog.getByLabel('Revoke Refund agent').isChecked()).toBe(true)
    await dialog.getByRole('button', { name: 'Remove' }).click()
    await owner.getByRole('dialog').waitFor({ state: 'detached' })
    const { apiKeys } = (await acme.owner.get('/api-keys')).body
    const isRevoked = (wanted: string) =>
      apiKeys.find(({ name }: { name: string }) => name === wanted).revokedAt !== undefined
    expect(names.map(isRevoked)).toEqual([true, false])
  })

  test('a revoked invitation link is rejected', async () => {
    const owner = await open(settings('invitations'), acme.owner.cookie)
    await owner.getByLabel('Email').fill('noor@shop.example')
    await owner.getByRole('button', { name: 'Invite' }).click()
    const link = await owner.getByRole('region', { name: 'New link' }).locator('code').innerText()
    await owner.getByRole('button', { name: 'Revoke the invitation for noor@shop.example' }).click()
    await owner.getByRole('dialog').getByRole('button', { name: 'Revoke' }).click()
    await owner.getByText('No pending invitations.').waitFor()
    const noor = await open(link.slice(service.url.length))
    await noor.getByRole('heading', { name: 'This invitation is no longer valid' }).waitFor()
  })

  test('a member of two workspaces switches between them, renames one, and leaves the other', async () => {
    const other = await service.workspace('Zebra')
    const invited = await other.owner.post('/invitations', {
      email: acme.ownerEmail,
      role: 'owner',
      password: testPassword,
    })
    const page = await open(
      new URL(invited.body.link).pathname + new URL(invited.body.link).hash,
      acme.owner.cookie,
    )
    await page.getByLabel('Your name').fill('Olga Owner')
    await page.getByLabel('Password').fill(testPassword)
    await page.getByRole('button', { name: 'Join' }).click()
    await page.getByRole('button', { name: 'Workspace: Zebra' }).click()
    await page.getByRole('menuitemradio', { name: /Acme/ }).click()
    await page.getByRole('button', { name: 'Workspace: Acme' }).waitFor()

    await page.getByRole('link', { name: 'Settings' }).click()
    await page.getByRole('link', { name: 'Workspace', exact: true }).click()
    await page.getByLabel('Workspace name').fill('Fjord & Fell')
    await page.getByRole('button', { name: 'Save', exact: true }).click()
    await page.locator('.strip').getByText('The workspace was renamed.').waitFor()
    await page.getByRole('button', { name: 'Workspace: Fjord & Fell' }).click()
    await page.getByRole('menuitemradio', { name: /Zebra/ }).click()

    await page.getByRole('link', { name: 'Settings' }).click()
    await page.getByRole('link', { name: 'Members' }).click()
    await page.getByRole('button', { name: 'Leave workspace' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Leave' }).click()
    await page.waitForURL(`**/w/${acme.workspaceId}/inbox`)
    // With one workspace left there is nothing to switch.
    await page.getByRole('button', { name: /^Workspace/ }).waitFor({ state: 'detached' })
  })

  test('preferences are kept after a reload, and the former address leads to them', async () => {
    const page = await open(settings('appearance'), acme.owner.cookie)
    await page.getByLabel('Dark').check()
    await page.locator('html.dark').waitFor()
    await page.getByLabel('Compact').check()
    await page.getByLabel('10 seconds').check()
    await page.getByRole('link', { name: 'Shortcuts' }).click()
    await page.getByLabel('Off').check()
    await page.reload()
    await page.locator('html.dark').waitFor()
    expect(await page.getByLabel('Off').isChecked()).toBe(true)
    await page.getByRole('link', { name: 'Preferences' }).click()
    expect(await page.getByLabel('Compact').isChecked()).toBe(true)
    expect(await page.getByLabel('10 seconds').isChecked()).toBe(true)
  })
})
