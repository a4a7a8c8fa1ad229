import type { Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { startBrowser, type TestBrowser, type Visit } from '../../support/browser.ts'
import { startService, type TestService, type TestWorkspace, taskPayload } from '../../support/service.ts'
import { noTroubles } from '../../support/troubles.ts'

const email = 'jo@shop.example'
const password = 'a password of their own'

describe('people join by invitation', () => {
  let service: TestService
  let first: TestWorkspace
  let second: TestWorkspace
  let browser: TestBrowser
  let visit: Visit
  beforeAll(async () => {
    service = await startService()
    first = await service.workspace('First workspace')
    second = await service.workspace('Second workspace')
    browser = await startBrowser()
  })
  afterEach(async () => {
    expect(await visit.troubles()).toEqual(noTroubles)
    await browser.endVisits()
  })
  afterAll(async () => {
    await browser.close()
    await service.stop()
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
    visit = await browser.visit(service.url)
    const { page } = visit
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
    visit = await browser.visit(service.url)
    const { page } = visit
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

    await visit.go('/')
    await page.getByRole('option', { name: /Of the first/ }).waitFor()
  })

  test('a link that was copied in part says so', async () => {
    visit = await browser.visit(service.url)
    await visit.go('/invitation')
    await visit.page.getByRole('heading', { name: 'This link is not whole' }).waitFor()
  })
})
