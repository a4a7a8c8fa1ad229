import { describe, expect, test } from 'vitest'
import { setUpBrowserTests } from '../../support/browser-tests.ts'
import { callAs } from '../../support/http.ts'
import { signedIn, testPassword } from '../../support/service.ts'

describe('members are managed in the settings', () => {
  const { service, acme, visit } = setUpBrowserTests({ workspaceName: 'Acme' })

  const settings = (page: string) => `/w/${acme.workspaceId}/settings/${page}`
  const accept = (link: string, name: string) =>
    callAs(service.url, {}).post('/invitations/accept', {
      token: new URL(link).hash.slice(1),
      name,
      password: testPassword,
    })

  test('a person is invited by a link, becomes admin, and is removed with the API keys they created, except those to keep', async () => {
    const { page } = await visit(settings('invitations'))
    const link = page.getByRole('region', { name: 'New link' }).locator('code')
    const links: string[] = []
    for (const name of ['ada', 'noor']) {
      await page.getByLabel('Email').fill(`${name}@shop.example`)
      await page.getByRole('button', { name: 'Invite' }).click()
      await page.getByRole('list', { name: 'Invitations' }).getByText(`${name}@shop.example`).waitFor()
      await expect.poll(() => link.innerText()).not.toBe(links[0])
      links.push(await link.innerText())
    }
    expect(links[0]).toContain(`${service.url}/invitation#`)
    expect((await accept(links[0]!, 'Ada')).status).toBe(200)
    await page.getByRole('button', { name: 'Revoke the invitation for noor@shop.example' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Revoke' }).click()
    await page.getByText('No pending invitations.').waitFor()
    expect((await accept(links[1]!, 'Noor')).status).toBe(403)

    const ada = await signedIn(service.url, 'ada@shop.example', acme.workspaceId)
    await page.getByRole('link', { name: 'Members' }).click()
    const listed = page.getByRole('list', { name: 'Members' }).getByRole('listitem')
    // The link was shown to the owner, so the address is not verified.
    await listed.filter({ hasText: 'Ada' }).getByText('not verified').waitFor()
    expect(await listed.filter({ hasText: 'Olga Owner' }).getByText('not verified').count()).toBe(0)
    await page.getByLabel('Role of Ada').selectOption('admin')
    await page
      .getByRole('dialog', { name: 'Change the role of Ada to admin?' })
      .getByRole('button', { name: 'Change role' })
      .click()
    await expect.poll(() => page.getByLabel('Role of Ada').inputValue()).toBe('admin')
    const names = ['Refund agent', 'Nightly report']
    for (const name of names) expect((await ada.post('/api-keys', { name })).status).toBe(201)

    await page.getByRole('button', { name: 'Remove Ada' }).click()
    const dialog = page.getByRole('dialog', { name: 'Remove Ada?' })
    await dialog.getByText('may have a copy of each secret').waitFor()
    await dialog.getByLabel('Revoke Nightly report').uncheck()
    expect(await dialog.getByLabel('Revoke Refund agent').isChecked()).toBe(true)
    await dialog.getByRole('button', { name: 'Remove' }).click()
    // While the dialog is open, the list behind it has no role.
    await dialog.waitFor({ state: 'detached' })
    await listed.filter({ hasText: 'Ada' }).waitFor({ state: 'detached' })
    expect((await ada.get('/api-keys')).status).toBe(404)
    const { apiKeys } = (await acme.owner.get('/api-keys')).body
    const isRevoked = (wanted: string) =>
      apiKeys.find(({ name }: { name: string }) => name === wanted).revokedAt !== undefined
    expect(names.map(isRevoked)).toEqual([true, false])
  })

  test('a member of two workspaces renames one, switches to the other, and leaves it', async () => {
    const other = await service.workspace('Zebra')
    const invitation = { email: acme.ownerEmail, role: 'owner', password: testPassword }
    await accept((await other.owner.post('/invitations', invitation)).body.link, 'Olga Owner')
    const { page } = await visit(settings('workspace'))
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
})
