import { describe, expect, test } from 'vitest'
import { expectAccessibleLayout } from '../../support/accessible-layout.ts'
import { setUpBrowserTests } from '../../support/browser-tests.ts'
import { insertHandled } from '../../support/handled-tasks.ts'
import { taskPayload, testPassword } from '../../support/service.ts'

describe('people decide how long content is kept', () => {
  const { service, acme, visit } = setUpBrowserTests()

  test('an admin deletes the content of a task, and a note replaces it', async () => {
    const { taskId } = (await acme.agent.post('/tasks', taskPayload())).body
    await acme.owner.post(`/tasks/${taskId}/handle`, { actionId: 'approve' })
    const admin = await acme.person('admin')
    const { page, goAs } = await visit(`/w/${acme.workspaceId}/handled/${taskId}`, { cookie: admin.cookie })
    await page.getByRole('heading', { level: 1, name: 'Refund €40?' }).waitFor()
    await page.getByRole('button', { name: 'More actions' }).click()
    await page.getByRole('menuitem', { name: 'Delete content…' }).click()
    const dialog = page.getByRole('dialog', { name: 'Delete content?' })
    await dialog.getByRole('button', { name: 'Delete content' }).click()
    await page.getByRole('heading', { level: 1, name: 'Content deleted' }).waitFor()
    await page.getByText('The content of this task was deleted on').waitFor()
    await page.getByRole('option', { name: /Content deleted/ }).waitFor()
    expect(await page.getByText('Refund €40?').count()).toBe(0)
    expect(await page.getByRole('button', { name: 'More actions' }).count()).toBe(0)
    await expectAccessibleLayout(page)

    const member = await acme.person('member')
    const other = (await acme.agent.post('/tasks', taskPayload())).body.taskId
    await acme.owner.post(`/tasks/${other}/mark-done`)
    await goAs(member.cookie, `/w/${acme.workspaceId}/handled/${other}`)
    await page.getByRole('heading', { level: 1, name: 'Refund €40?' }).waitFor()
    await page.getByRole('button', { name: 'More actions' }).click()
    await page.getByRole('menuitem', { name: /note/ }).waitFor()
    expect(await page.getByRole('menuitem', { name: /Delete/ }).count()).toBe(0)
  })

  test('an owner sets the retention after seeing how many tasks lose their content, removes it again, and erases the address of a removed person', async () => {
    const { email } = await acme.person('member', 'Ines Ignota')
    await insertHandled(service.databaseUrl, acme.workspaceId, [
      ...[{ daysAgo: 40 }, { daysAgo: 50 }, { daysAgo: 60 }, { daysAgo: 2 }],
    ])
    const { page } = await visit(`/w/${acme.workspaceId}/settings/workspace`)
    await page.getByLabel('Retention period in days').fill('30')
    await page.getByRole('button', { name: 'Save retention period' }).click()
    const saving = page.getByRole('dialog', { name: 'Save a retention period of 30 days?' })
    await saving.getByText('3 tasks ended more than 30 days ago.').waitFor()
    await expectAccessibleLayout(page)
    await saving.getByLabel('Your password').fill(testPassword)
    await saving.getByRole('button', { name: 'Delete and save' }).click()
    await page.locator('.strip').getByText('Content is kept for 30 days after a task ends.').waitFor()
    await page.getByLabel('Retention period in days').fill('')
    await page.getByRole('button', { name: 'Save retention period' }).click()
    await page.locator('.strip').getByText('Content is kept until someone deletes it.').waitFor()
    expect((await acme.owner.get('/workspace')).body).not.toHaveProperty('retentionDays')

    await page.getByRole('link', { name: 'Members' }).click()
    await page.getByRole('button', { name: 'Remove Ines Ignota' }).click()
    const dialog = page.getByRole('dialog', { name: 'Remove Ines Ignota?' })
    await dialog.getByLabel(/Erase their email address/).check()
    await expectAccessibleLayout(page)
    await dialog.getByRole('button', { name: 'Remove' }).click()
    await page.getByText(email).waitFor({ state: 'detached' })
    const { entries } = (await acme.owner.get('/audit?action=member.removed')).body
    expect(entries[0].details).toEqual({ erase: true })
  })
})
