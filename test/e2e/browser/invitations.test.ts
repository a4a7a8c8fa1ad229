import type { Page } from 'playwright-core'
import { describe, expect, test } from 'vitest'
import { setUpBrowserTests, signedOut } from '../../support/browser-tests.ts'
import { taskPayload, testPassword } from '../../support/service.ts'

describe('people join by invitation', () => {
  const { service, acme, blankTab } = setUpBrowserTests({ workspaceName: 'First workspace' })

  async function join(page: Page, password: string) {
    await page.getByLabel('Your name').fill('Jo')
    await page.getByLabel('Password').fill(password)
    await page.getByRole('button', { name: 'Join' }).click()
  }

  test('the link creates an account, joins the workspace and opens the inbox; it works once', async () => {
    const { link } = (await acme.owner.post('/invitations', { email: 'jo@shop.example' })).body
    const { page } = await blankTab(signedOut)
    await page.goto(link)
    await join(page, testPassword)
    await page.getByRole('heading', { name: 'No open tasks' }).waitFor()
    expect(page.url()).toBe(`${service.url}/w/${acme.workspaceId}/inbox`)
    await page.goto(link)
    await page.getByRole('heading', { name: 'This invitation is no longer valid' }).waitFor()
  })

  test('a second workspace appears in the switcher, and each shows its own tasks', async () => {
    const { email } = await acme.person()
    const second = await service.workspace('Second workspace')
    await acme.agent.post('/tasks', taskPayload({}, { name: 'Of the first' }))
    await second.agent.post('/tasks', taskPayload({}, { name: 'Of the second' }))
    const { page } = await blankTab(signedOut)
    await page.goto((await second.owner.post('/invitations', { email })).body.link)
    await join(page, 'not their password')
    await page.getByText('You have an account with this address. Enter its password to join.').waitFor()
    await join(page, testPassword)
    await page.getByRole('option', { name: /Of the second/ }).waitFor()

    await page.getByRole('button', { name: 'Workspace: Second workspace' }).click()
    const switcher = page.getByRole('menu')
    await switcher.waitFor()
    expect(await switcher.locator('bdi').allInnerTexts()).toEqual(['First workspace', 'Second workspace'])
    await switcher.getByRole('menuitemradio', { name: /First workspace/ }).click()
    await page.getByRole('option', { name: /Of the first/ }).waitFor()
    expect(await page.getByRole('option', { name: /Of the second/ }).count()).toBe(0)
    expect(page.url()).toBe(`${service.url}/w/${acme.workspaceId}/inbox`)

    await page.goto(service.url)
    await page.getByRole('option', { name: /Of the first/ }).waitFor()
  })
})
