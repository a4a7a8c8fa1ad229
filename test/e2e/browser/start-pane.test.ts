import type { Page } from 'playwright-core'
import { describe, expect, test } from 'vitest'
import { axeViolations } from '../../support/browser.ts'
import { createTask, waitForTask } from '../../support/browser-actions.ts'
import { setUpBrowserTests } from '../../support/browser-tests.ts'

describe('the inbox starts with what matters, until a task is opened', () => {
  const { service, acme, visit } = setUpBrowserTests({ freshWorkspace: true })
  const send = (name: string, more: Record<string, unknown> = {}) => createTask(acme, name, more)

  async function open(): Promise<Page> {
    const { page } = await visit(`/w/${acme.workspaceId}/inbox`)
    await page.getByRole('heading', { name: 'Most urgent' }).waitFor()
    return page
  }
  const sentence = (page: Page, text: string) =>
    page.getByRole('heading', { level: 1, name: text, exact: true }).waitFor()
  const urgentTasks = (page: Page) =>
    page.getByRole('region', { name: 'Overview' }).getByRole('link').locator('b').allInnerTexts()

  test('nothing is late: the first tasks of the list, the figures of today, and J opens the first', async () => {
    const mara = await acme.person('member', 'Mara')
    await acme.owner.post(`/tasks/${await send('Mine')}/mark-done`)
    await mara.post(`/tasks/${await send('Hers')}/mark-done`)
    for (const [name, priority] of Object.entries({ a: 'normal', b: 'high', c: 'urgent', d: 'low' }))
      await send(`Task ${name}`, { priority })
    const page = await open()
    await sentence(page, 'Nothing is late. 4 to do.')
    await expect.poll(() => urgentTasks(page)).toEqual(['Task c', 'Task b', 'Task a'])
    const today = page.getByRole('region', { name: 'Overview' })
    await today.getByText('of 2 in the workspace').waitFor()
    await today.getByText('no deadline passed').waitFor()
    await today.getByText('4 more than answered').waitFor()
    await today.getByRole('img', { name: /^Arrivals and answers per hour/ }).waitFor()
    expect(await axeViolations(page)).toEqual([])

    await page.keyboard.press('j')
    await waitForTask(page, 'Task c')
    await page.goBack()
    await page.getByRole('button', { name: 'Start with the first task' }).press('Enter')
    await waitForTask(page, 'Task c')
    await page.goBack()
    await page.getByRole('link', { name: 'Task a' }).press('Enter')
    await waitForTask(page, 'Task a')
  })

  test('a task that is due within half an hour comes first, whatever its priority', async () => {
    await send('Urgent, without a deadline', { priority: 'urgent' })
    await send('Due tomorrow', { expiresInSeconds: 86_400 })
    await send('Due soon', { priority: 'low', expiresInSeconds: 1_200 })
    const page = await open()
    await sentence(page, '1 task is due within half an hour')
    await expect
      .poll(() => urgentTasks(page))
      .toEqual(['Due soon', 'Urgent, without a deadline', 'Due tomorrow'])
    await page.getByRole('button', { name: 'Start with the one due first' }).press('Enter')
    await waitForTask(page, 'Due soon')
    // With filters there is no start pane: its figures are about the whole inbox.
    await page.goto(`${service.url}/w/${acme.workspaceId}/inbox?priority=low`)
    await page.getByText('Open a task from the list').waitFor()
    expect(await page.getByRole('heading', { name: 'Most urgent' }).count()).toBe(0)
  })
})
