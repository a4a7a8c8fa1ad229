import type { Page } from 'playwright-core'
import { describe, expect, test } from 'vitest'
import type { Visitor } from '../../support/browser.ts'
import { createTask, signIn } from '../../support/browser-actions.ts'
import { setUpBrowserTests } from '../../support/browser-tests.ts'

describe('typed text is kept until it has been saved', () => {
  const { acme, visit } = setUpBrowserTests()
  let page: Page
  let taskId: string

  async function openForm(visitor?: Visitor) {
    taskId = await createTask(acme, 'Contested')
    page = (await visit(`/w/${acme.workspaceId}/inbox/${taskId}`, visitor)).page
    await page.getByRole('button', { name: 'Decline' }).click()
    await why().waitFor()
  }

  const why = () => page.getByLabel('Why?')
  const draftOf = async () => (await acme.owner.get(`/tasks/${taskId}/drafts`)).body.drafts[0]?.data.reason

  /** The draft is not saved, because the session ends first. */
  async function typeAsSessionEnds(text: string) {
    await page.route('**/drafts/*', (route) => route.abort())
    await why().fill(text)
    await page.context().clearCookies()
    await page.unroute('**/drafts/*')
    await page.getByRole('heading', { name: 'Sign in' }).waitFor()
  }

  test('after a new sign-in, the text is still there', async () => {
    await openForm()
    await why().fill('Half a')
    await expect.poll(draftOf).toBe('Half a')
    await typeAsSessionEnds('Half a thought')
    await signIn(page, acme.ownerEmail)
    await why().waitFor()
    expect(await why().inputValue()).toBe('Half a thought')
    await expect.poll(draftOf).toBe('Half a thought')
  })

  test('the next person in the same tab does not see the text', async () => {
    const mara = await acme.person('member', 'Mara')
    await openForm()
    await typeAsSessionEnds('Between you and me')
    await signIn(page, mara.email)
    await page.getByRole('button', { name: 'Decline' }).click()
    await why().waitFor()
    expect(await why().inputValue()).toBe('')
  })

  test('signing out saves the text, or warns that it is not saved, and then deletes it from the browser', async () => {
    const mara = await acme.person('member', 'Mara')
    await openForm({ cookie: mara.cookie })
    await why().fill('Half a')
    // While the service can't be reached, the session is not ended.
    await page.route('**/sign-out', (route) => route.abort())
    await page.getByRole('button', { name: /^Account/ }).click()
    await page.getByRole('menuitem', { name: 'Sign out' }).click()
    const failure = page.getByRole('dialog', { name: 'Sign-out failed' })
    await failure.getByText('The service could not be reached.').waitFor()
    await page.unroute('**/sign-out')
    await failure.getByRole('button', { name: 'Try again' }).click()
    await page.getByRole('heading', { name: 'Sign in' }).waitFor()
    const kept = () => page.evaluate(() => Object.keys(sessionStorage).filter((key) => /draft/.test(key)))
    expect(await kept()).toEqual([])
    await signIn(page, mara.email)
    await page.getByRole('link', { name: /^Inbox/ }).waitFor()
    await page.goto(`${new URL(page.url()).origin}/w/${acme.workspaceId}/inbox/${taskId}`)
    await why().waitFor()
    expect(await why().inputValue()).toBe('Half a')

    await page.route('**/drafts/*', (route) => route.abort())
    await why().fill('Half a thought')
    await page.getByText('Draft not saved yet. Keep this tab open.').waitFor()
    await page.getByRole('button', { name: /^Account/ }).click()
    await page.getByRole('menuitem', { name: 'Sign out' }).click()
    const warning = page.getByRole('dialog', { name: 'Sign out and delete unsaved drafts?' })
    await warning.getByRole('button', { name: 'Sign out and delete' }).click()
    await page.getByRole('heading', { name: 'Sign in' }).waitFor()
    expect(await kept()).toEqual([])
  })

  test('the text is saved when the service is back, and survives a reload', async () => {
    await openForm()
    await page.route('**/drafts/*', (route) => route.abort())
    await why().fill('Written offline')
    await page.getByText('Draft not saved yet. Keep this tab open.').waitFor()
    expect(await draftOf()).toBeUndefined()
    await page.unroute('**/drafts/*')
    await expect.poll(draftOf).toBe('Written offline')
    await page.getByText('Draft saved').waitFor()

    await page.route('**/drafts/*', (route) => route.abort())
    await why().fill('Written offline, and on')
    await page.reload()
    await why().waitFor()
    expect(await why().inputValue()).toBe('Written offline, and on')
  })
})
