import { beforeAll, describe, expect, test } from 'vitest'
import { expectAccessibleLayout } from '../../support/accessible-layout.ts'
import { setUpBrowserTests } from '../../support/browser-tests.ts'
import type { TestWorkspace } from '../../support/service.ts'

type Person = Awaited<ReturnType<TestWorkspace['person']>>

describe('groups and policies are managed in the settings', () => {
  const { acme, visit, allowProblems } = setUpBrowserTests()
  let ana: Person
  let ben: Person
  beforeAll(async () => {
    ana = await acme.person('member', 'Ana')
    ben = await acme.person('member', 'Ben')
  })
  const open = (name: 'groups' | 'policies', visitor = {}) =>
    visit(`/w/${acme.workspaceId}/settings/${name}`, visitor)

  test('an admin creates a group with the keyboard, changes it and deletes it', async () => {
    const { page } = await open('groups')
    await page.getByText('No groups yet.').waitFor()
    await page.getByRole('button', { name: 'Create group' }).focus()
    await page.keyboard.press('Enter')
    const dialog = page.getByRole('dialog', { name: 'Create group' })
    await dialog.getByLabel('Ana').waitFor()
    await page.keyboard.type('Équipe Finance')
    expect(await dialog.getByLabel('Slug').inputValue()).toBe('equipe-finance')
    await page.keyboard.press('Tab')
    await page.keyboard.press('ControlOrMeta+a')
    await page.keyboard.type('finance')
    await dialog.getByText('group:finance').waitFor()
    await dialog.getByLabel('Ana').focus()
    await page.keyboard.press('Space')
    await expectAccessibleLayout(page)
    await page.keyboard.press('Enter')
    const row = page.getByRole('list', { name: 'Groups' }).getByRole('listitem')
    await row.getByText('Ana', { exact: true }).waitFor()
    await row.getByRole('button', { name: 'Copy group:finance' }).waitFor()

    await row.getByRole('button', { name: 'Change Équipe Finance' }).click()
    const change = page.getByRole('dialog', { name: 'Change Équipe Finance' })
    await change.getByRole('textbox', { name: 'Name' }).fill('Finance')
    await change.getByLabel('Ben').check()
    await change.getByRole('button', { name: 'Save group' }).click()
    await row.getByText('Ana, Ben').waitFor()
    const [group] = (await acme.owner.get('/groups')).body.groups
    expect(group).toMatchObject({ slug: 'finance', name: 'Finance', members: [ana.email, ben.email] })

    await row.getByRole('button', { name: 'Delete Finance' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Delete group' }).click()
    await page.getByText('No groups yet.').waitFor()
    expect((await acme.owner.get('/groups')).body.groups).toEqual([])
  })

  test('a group that a policy uses is kept, and the dialog names the policy', async () => {
    await acme.owner.post('/groups', { slug: 'legal', name: 'Legal', members: [ana.email] })
    await acme.owner.post('/policies', { app: 'bank', type: 'contract', by: ['group:legal'] })
    const tab = await open('groups')
    // The browser reports the 409 response.
    allowProblems(tab)
    await tab.page.getByRole('button', { name: 'Delete Legal' }).click()
    const dialog = tab.page.getByRole('dialog')
    await dialog.getByRole('button', { name: 'Delete group' }).click()
    await dialog.getByText('This group is used by policies: bank / contract.').waitFor()
    const slugs = (await acme.owner.get('/groups')).body.groups.map(({ slug }: { slug: string }) => slug)
    expect(slugs).toContain('legal')
  })

  test('a member sees the groups, and whom to ask for a change', async () => {
    await acme.owner.post('/groups', { slug: 'empty', name: 'Nobody yet' })
    const { page } = await open('groups', { cookie: ben.cookie, width: 390, height: 844 })
    await page.getByText('Only admins and owners can create and change groups. Ask Olga Owner.').waitFor()
    await page.getByText('No members. Tasks that only this group may answer are refused.').waitFor()
    expect(await page.getByRole('button', { name: /^(Create|Change|Delete)/ }).count()).toBe(0)
    await expectAccessibleLayout(page)
  })
})
