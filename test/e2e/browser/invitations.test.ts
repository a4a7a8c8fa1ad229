import type { Page } from 'playwright-core'
import { beforeAll, describe, expect, test } from 'vitest'
import { type TestWorkspace, taskPayload } from '../../support/service.ts'
import { nobody, visitedService } from '../../support/visited-service.ts'

const email = 'jo@shop.example'
const password = 'a password of their own'

describe('people join by invitation', () => {
  const { service, acme: first, visit, emptyTab } = visitedService({ workspaceName: 'First workspace' })
  let second: TestWorkspace
  beforeAll(async () => {
    second = await service.workspace('Second workspace')
  })

  async function join(page: Page, link: string, secret = password) {
    await page.goto(link)
    await page.getByLabel('Your name').fill('Jo')
    await page.getByLabel('Password').fill(secret)
    await page.getByRole('button', { name: 'Join' }).click()
  }

  async function invitationTo({ owner }: TestWorkspace): Promise<string> {
    return (await owner.post('/invitations', { email, role: 'member' })).body.link
  }

  test('the link makes an account, joins and lands in the inbox; it works once', async () => {
    const link = await invitationTo(first)
    const { page } = await emptyTab(nobody)
    await join(page, link)
    await page.getByRole('heading', { name: 'Nothing needs you' }).waitFor()
    expect(page.url()).toBe(`${service.url}/w/${first.workspaceId}/inbox`)
    await join(page, link)
    await page.getByText('This invitation is not valid any more. Ask for a new one.').waitFor()
  })

  test('a second workspace appears in the switcher, and each shows its own tasks', async () => {
    await first.agent.post('/tasks', taskPayload({}, { name: 'Of the first' }))
    await second.agent.post('/tasks', taskPayload({}, { name: 'Of the second' }))
    const link = await invitationTo(second)
    const { page } = await emptyTab(nobody)
    await join(page, link, 'not their password')
    await page.getByText('You have an account with this address. Enter its password to join.').waitFor()
    await join(page, link)
    await page.getByRole('option', { name: /Of the second/ }).waitFor()

    await page.getByRole('button', { name: 'Workspace: Second workspace' }).click()
    const switcher = page.getByRole('menu')
    await switcher.waitFor()
    expect(await switcher.locator('bdi').allInnerTexts()).toEqual(['First workspace', 'Second workspace'])
    await switcher.getByRole('menuitemradio', { name: /First workspace/ }).click()
    await page.getByRole('option', { name: /Of the first/ }).waitFor()
    expect(await page.getByRole('option', { name: /Of the second/ }).count()).toBe(0)
    expect(page.url()).toBe(`${service.url}/w/${first.workspaceId}/inbox`)

    await page.goto(service.url)
    await page.getByRole('option', { name: /Of the first/ }).waitFor()
  })

  test('a link that was copied in part says so', async () => {
    const { page } = await visit('/invitation', nobody)
    await page.getByRole('heading', { name: 'This link is not whole' }).waitFor()
  })
})
