import type { Page } from 'playwright-core'
import { describe, expect, test } from 'vitest'
import { axeViolations } from '../../support/browser.ts'
import { createTask, pressAtOnce } from '../../support/browser-actions.ts'
import { setUpBrowserTests } from '../../support/browser-tests.ts'
import { waitUntilAnswerable } from '../../support/wait-until-answerable.ts'

describe('the palette', () => {
  const { acme, visit } = setUpBrowserTests()
  let page: Page

  async function open(path = '') {
    page = (await visit(`/w/${acme.workspaceId}/inbox${path}`)).page
    await page.getByRole('option').first().waitFor()
  }
  const send = async (name: string) => await createTask(acme, name)
  const statusOf = async (taskId: string) => (await acme.agent.get(`/tasks/${taskId}`)).body.status
  const palette = () => page.getByRole('dialog', { name: 'Search tasks and commands' })
  const taskIs = (name: string) => page.getByRole('heading', { level: 1, name }).waitFor()

  async function search(text: string) {
    await page.keyboard.press('Control+k')
    await palette().getByRole('combobox').fill(text)
  }

  test('opens any task by id or words, also an ended one, and runs commands; G and a letter open a page without it', async () => {
    const ended = await send('Long gone')
    await acme.owner.post(`/tasks/${ended}/mark-done`)
    const taskId = await send('Reimburse the parcel')
    await open()
    await search(ended)
    await palette()
      .getByRole('option', { name: /Long gone/ })
      .waitFor()
    expect(await axeViolations(page)).toEqual([])
    await page.keyboard.press('Enter')
    await taskIs('Long gone')
    // The second key must follow within a second.
    await pressAtOnce(page, 'g', 'i')
    await expect.poll(() => new URL(page.url()).pathname).toBe(`/w/${acme.workspaceId}/inbox`)

    // Only available commands are listed, with their shortcuts.
    await search('mark done')
    await palette().getByText('No results.').waitFor()
    await page.keyboard.press('Escape')
    await palette().waitFor({ state: 'detached' })
    await search('reimb')
    await palette()
      .getByRole('option', { name: /Reimburse the parcel/ })
      .waitFor()
    await page.keyboard.press('Enter')
    await taskIs('Reimburse the parcel')
    await waitUntilAnswerable(page)
    await search('mark done')
    const command = palette().getByRole('option', { name: 'Mark done' })
    expect(await command.locator('kbd').innerText()).toBe('E')
    await page.keyboard.press('Enter')
    await page.getByRole('dialog', { name: 'Mark done?' }).waitFor()
    expect(await statusOf(taskId)).toBe('open')
    await page.keyboard.press('Control+Enter')
    await expect.poll(() => statusOf(taskId)).toBe('handled')
  })

  test("selects one of the agent's actions without sending it, filters the list and clears its filters, and selects all tasks", async () => {
    const taskId = await createTask(acme, 'To be decided', { app: 'post office', priority: 'urgent' })
    await open(`/${taskId}`)
    await taskIs('To be decided')
    await waitUntilAnswerable(page)
    await search('approve')
    const action = palette().getByRole('option', { name: 'Approve' })
    expect(await action.locator('kbd').innerText()).toBe('Alt 1')
    await page.keyboard.press('Enter')
    await page.getByRole('button', { name: 'Approve', pressed: true }).waitFor()
    await search('decline')
    await page.keyboard.press('Enter')
    // Its form has the focus, as after its key.
    await expect
      .poll(() => page.getByLabel('Why?').evaluate((field) => field === document.activeElement))
      .toBe(true)
    expect(await page.getByText('Sending').count()).toBe(0)
    expect(await statusOf(taskId)).toBe('open')

    const filters = () => Object.fromEntries(new URL(page.url()).searchParams)
    await search('priority urgent')
    await page.keyboard.press('Enter')
    await expect.poll(filters).toEqual({ priority: 'urgent' })
    await search('app post')
    await palette().getByRole('option', { name: 'App: post office' }).waitFor()
    await page.keyboard.press('Enter')
    await expect.poll(filters).toEqual({ priority: 'urgent', app: 'post office' })
    await search('clear filters')
    await page.keyboard.press('Enter')
    await expect.poll(filters).toEqual({ view: 'all' })
    await search('select all')
    await page.keyboard.press('Enter')
    await page.getByRole('region', { name: 'Selected tasks' }).waitFor()
  })
})
