import type { Page } from 'playwright-core'
import { beforeAll, describe, expect, test } from 'vitest'
import { axeViolations } from '../../support/browser.ts'
import { taskNames } from '../../support/browser-actions.ts'
import { setUpBrowserTests } from '../../support/browser-tests.ts'
import { settledEventCursor } from '../../support/event-cursor.ts'
import { taskPayload } from '../../support/service.ts'

describe('the inbox shows what its URL filters for', () => {
  const { service, acme, visit } = setUpBrowserTests()
  beforeAll(async () => {
    for (const [name, app, priority, assignTo] of [
      ['Refund one', 'shop', 'high', acme.ownerEmail],
      ['Refund two', 'shop', 'normal', undefined],
      ['Deploy', 'build', 'normal', undefined],
      ['Rollback', 'build', 'urgent', undefined],
    ] as const) {
      await acme.agent.post('/tasks', taskPayload({ app, priority, assignTo }, { name, type: app }))
    }
  })

  async function visitInbox(search: string): Promise<Page> {
    // A page that received events of earlier tests after it has loaded would count wrongly.
    await settledEventCursor(service.databaseUrl, acme)
    return (await visit(`/w/${acme.workspaceId}/inbox${search}`)).page
  }

  async function open(search = '?view=all'): Promise<Page> {
    const page = await visitInbox(search)
    await page.getByRole('option').first().waitFor()
    return page
  }

  const expectTasks = (page: Page, names: string[]) => expect.poll(() => taskNames(page)).toEqual(names)
  const expectSearch = (page: Page, search: object) =>
    expect.poll(() => Object.fromEntries(new URL(page.url()).searchParams)).toEqual(search)

  /** Expects news only of tasks that match the filter, also in a search, but all of them in the badge. */
  async function expectNews(page: Page) {
    const send = async (name: string, app: string) =>
      (await acme.agent.post('/tasks', taskPayload({ app }, { name }))).body.taskId as string
    await page.getByRole('link', { name: 'Inbox 4 open' }).waitFor()
    const sent = [await send('Elsewhere', 'build'), await send('Refund three', 'shop')]
    await page.getByRole('link', { name: 'Inbox 6 open' }).waitFor()
    await expect.poll(() => page.title()).toMatch(/^\(6\) Inbox/)
    await acme.owner.post(`/tasks/${sent[0]}/mark-done`)
    await page.getByRole('link', { name: 'Inbox 5 open' }).waitFor()
    await page.getByText('3 matching').waitFor()
    await page.getByRole('button', { name: '1 new' }).click()
    await expectTasks(page, ['Refund one', 'Refund two', 'Refund three'])

    await page.keyboard.press('/')
    await page.keyboard.type('parcel')
    await page.getByText('3 found').waitFor()
    sent.push(await send('Refund four', 'shop'))
    await page.getByRole('button', { name: '1 new' }).click()
    await expect.poll(async () => (await taskNames(page))[0]).toBe('Refund four')
    await Promise.all(sent.slice(1).map((taskId) => acme.agent.post(`/tasks/${taskId}/cancel`)))
  }

  test('filters are chosen by keyboard, stored in the URL, kept when a task is opened, undone by Back, and decide which new tasks are announced', async () => {
    const page = await open()
    await page.keyboard.press('f')
    await page.getByRole('menuitemradio', { name: 'shop' }).first().press('Enter')
    await expectTasks(page, ['Refund one', 'Refund two'])
    await expectSearch(page, { app: 'shop' })
    await page.getByText('2 matching').waitFor()
    await page.getByRole('link', { name: 'Inbox 4 open' }).waitFor()

    await page.keyboard.press('j')
    await page.getByRole('heading', { level: 1, name: 'Refund one' }).waitFor()
    await expectSearch(page, { app: 'shop' })
    await page.keyboard.press('f')
    await page.getByRole('menuitemradio', { name: 'To me' }).press('Enter')
    await expectTasks(page, ['Refund one'])
    await expectSearch(page, { app: 'shop', assigned: 'me' })
    expect(new URL(page.url()).pathname).toMatch(/\/inbox\/tsk_/)
    // A link for colleagues does not contain the filters.
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
    // The confirmation is shown for two seconds.
    await Promise.all([page.getByRole('button', { name: 'Copied' }).waitFor(), page.keyboard.press('l')])
    await expect
      .poll(() => page.evaluate(() => navigator.clipboard.readText()))
      .toBe(page.url().replace(/\?.*/, ''))

    await page.goBack()
    await expectTasks(page, ['Refund one', 'Refund two'])
    await page.getByRole('button', { name: 'Remove filter: App' }).click()
    await expectTasks(page, ['Rollback', 'Refund one', 'Refund two', 'Deploy'])
    await page.getByRole('group', { name: 'Filters' }).waitFor({ state: 'detached' })
    await page.goBack()
    await expectTasks(page, ['Refund one', 'Refund two'])
    await expectNews(page)
  })

  test('V saves the filters as a view, a tab with its count; it can be removed', async () => {
    const page = await open('?app=shop')
    const views = page.getByRole('navigation', { name: 'Views' })
    await views.getByRole('button', { name: 'Save view' }).waitFor()
    await page.keyboard.press('v')
    const dialog = page.getByRole('dialog', { name: 'Save view' })
    await dialog.getByLabel('Name').fill('Refunds')
    await dialog.getByLabel('For everyone in the workspace').check()
    expect(await axeViolations(page)).toEqual([])
    await page.keyboard.press('Enter')
    await dialog.waitFor({ state: 'detached' })
    const tab = views.getByRole('link', { name: 'Refunds 2' })
    await tab.waitFor()
    await expect.poll(() => tab.getAttribute('aria-current')).toBe('page')
    await expect.poll(() => views.locator('[aria-current]').count()).toBe(1)
    await views.getByRole('link', { name: 'All' }).click()
    await expectTasks(page, ['Rollback', 'Refund one', 'Refund two', 'Deploy'])
    await views.getByRole('link', { name: 'Refunds 2' }).click()
    await expectTasks(page, ['Refund one', 'Refund two'])
    expect(await axeViolations(page)).toEqual([])
    await views.getByRole('button', { name: 'Remove view Refunds' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Remove view' }).click()
    await page.getByRole('dialog').waitFor({ state: 'detached' })
    expect((await acme.owner.get('/views')).body.shared).toEqual([])
    await views.getByRole('button', { name: 'Save view' }).waitFor()
  })

  test('a search starts with a slash, finds words, newest first; Enter opens the first result, and Esc ends it', async () => {
    const page = await visitInbox('?priority=normal&q=4711')
    await page.getByRole('heading', { name: 'No matching open tasks' }).waitFor()
    expect(await page.getByLabel('Search open tasks').inputValue()).toBe('4711')
    await page.getByRole('button', { name: 'Show all open tasks' }).click()
    await expect.poll(() => taskNames(page)).toHaveLength(4)
    await page.goBack()
    await page.getByRole('heading', { name: 'No matching open tasks' }).waitFor()

    await page.keyboard.press('/')
    await page.keyboard.press('Control+a')
    await page.keyboard.type('ref')
    await expectTasks(page, ['Refund two'])
    await expectSearch(page, { priority: 'normal', q: 'ref' })
    await page.getByRole('button', { name: 'Clear', exact: true }).click()
    await expectTasks(page, ['Refund two', 'Refund one'])
    await page.goBack()
    await expectTasks(page, ['Refund two'])
    await page.keyboard.press('/')
    await page.keyboard.press('Escape')
    await expectTasks(page, ['Refund two', 'Deploy'])
    await expectSearch(page, { priority: 'normal' })

    await page.keyboard.press('/')
    await page.keyboard.type('deploy')
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { level: 1, name: 'Deploy' }).waitFor()
    await expectTasks(page, ['Deploy'])
    await expect.poll(() => page.evaluate(() => document.activeElement?.id)).toBe('open-tasks')
    await page.keyboard.press('Escape')
    await expectTasks(page, ['Refund two', 'Deploy'])
    await expectSearch(page, { priority: 'normal' })
    await page.getByLabel('Search open tasks').waitFor({ state: 'detached' })
  })
})
