import type { Page } from 'playwright-core'
import { beforeEach, describe, expect, test } from 'vitest'
import { expectAccessibleLayout } from '../../support/accessible-layout.ts'
import { createTasks, taskNames, waitForTask } from '../../support/browser-actions.ts'
import { setUpBrowserTests } from '../../support/browser-tests.ts'
import { inAnHour } from '../../support/service.ts'

describe('a person snoozes a task', () => {
  const { acme, visit } = setUpBrowserTests({ freshWorkspace: true })
  let page: Page
  let ids: string[] = []
  beforeEach(async () => {
    for (const id of ids) await acme.agent.post(`/tasks/${id}/cancel`)
    ids = await createTasks(acme, ['First', 'Second', 'Third'])
  })

  const inbox = () => `/w/${acme.workspaceId}/inbox`
  const press = (key: string) => page.keyboard.press(key)
  const dialog = () => page.getByRole('dialog', { name: 'Snooze task' })
  const snoozedIds = async () => (await acme.owner.get('/inbox')).body.snoozed.taskIds
  const names = (of: Page = page) => expect.poll(() => taskNames(of))

  async function snoozeForAnHour() {
    await press('h')
    await dialog()
      .getByRole('radio', { name: /^In 1 hour/ })
      .waitFor()
    await press('Enter')
  }

  /**
   * The service receives the next request of this method, but the page gets the response only after
   * `release`.
   */
  async function holdResponse(method: 'PUT' | 'DELETE') {
    let reach: () => void = () => undefined
    let release: () => void = () => undefined
    const reached = new Promise<void>((resolve) => (reach = resolve))
    const released = new Promise<void>((resolve) => (release = resolve))
    await page.route('**/snooze', async (route) => {
      if (route.request().method() !== method) return await route.continue()
      const response = await route.fetch()
      reach()
      await released
      await route.fulfill({ response })
    })
    return { reached, release }
  }

  test('H hides it from their own inbox and opens the next task; Z shows it again', async () => {
    const ana = await acme.person('member', 'Ana')
    const colleague = (await visit(inbox(), { cookie: ana.cookie })).page
    page = (await visit(inbox())).page
    await page.getByRole('option', { name: /First/ }).click()
    await waitForTask(page, 'First')
    // A held key opens one dialog, and neither it nor Escape snoozes.
    await page.keyboard.down('h')
    await page.keyboard.down('h')
    await page.keyboard.up('h')
    await dialog()
      .getByRole('radio', { name: /^In 1 hour/, checked: true })
      .waitFor()
    await expectAccessibleLayout(page)
    await press('h')
    await press('Escape')
    await dialog().waitFor({ state: 'detached' })
    expect(await snoozedIds()).toEqual([])

    await press('h')
    await dialog()
      .getByRole('radio', { name: /^In 1 hour/ })
      .waitFor()
    await press('ArrowDown')
    await dialog()
      .getByRole('radio', { name: /^Tomorrow morning/, checked: true })
      .waitFor()
    await press('Enter')
    await waitForTask(page, 'Second')
    await page
      .getByRole('status')
      .getByText(/^Snoozed until /)
      .waitFor()
    await names().toEqual(['Second', 'Third'])
    expect(await snoozedIds()).toEqual([ids[0]])
    await names(colleague).toEqual(['First', 'Second', 'Third'])

    // Undo is offered for eight seconds.
    await snoozeForAnHour()
    await page.getByRole('button', { name: /^Undo/ }).waitFor()
    await press('z')
    await waitForTask(page, 'Second')
    await names().toEqual(['Second', 'Third'])
    expect(await snoozedIds()).toEqual([ids[0]])
  })

  test('undoing it does not take them away from a task that they opened meanwhile', async () => {
    page = (await visit(`${inbox()}/${ids[0]}`)).page
    await waitForTask(page, 'First')
    const unsnooze = await holdResponse('DELETE')
    await snoozeForAnHour()
    await page.getByRole('button', { name: /^Undo/ }).waitFor()
    await press('z')
    await unsnooze.reached
    await page.getByRole('option', { name: /Third/ }).click()
    await waitForTask(page, 'Third')
    unsnooze.release()
    await names().toEqual(['First', 'Second', 'Third'])
    await page.getByRole('option', { name: /Third/, selected: true }).waitFor()
    expect(new URL(page.url()).pathname).toBe(`${inbox()}/${ids[2]}`)
  })

  test('it returns if something happens to it before the page knows that it is snoozed', async () => {
    page = (await visit(`${inbox()}/${ids[0]}`)).page
    await waitForTask(page, 'First')
    const snooze = await holdResponse('PUT')
    await snoozeForAnHour()
    await snooze.reached
    await acme.agent.post(`/tasks/${ids[0]}/updates`, { message: 'The customer has called.' })
    await page.getByText('The customer has called.').first().waitFor()
    snooze.release()
    await waitForTask(page, 'Second')
    await page.getByRole('button', { name: '1 new' }).click()
    await names().toEqual(['First', 'Second', 'Third'])
  })

  test('until a date and time of their choice', async () => {
    page = (await visit(`${inbox()}/${ids[0]}`)).page
    await waitForTask(page, 'First')
    await page.getByRole('button', { name: 'More actions' }).click()
    await page.getByRole('menuitem', { name: /^Snooze/ }).click()
    await dialog().getByRole('radio', { name: 'Date and time' }).check()
    await press('Control+Enter')
    await dialog().getByText('Choose a date and time.').waitFor()
    await dialog().getByLabel('Date and time', { exact: true }).last().fill('2020-01-01T09:00')
    await press('Control+Enter')
    await dialog().getByText('Must be in the future, at most 90 days from now.').waitFor()
    const until = new Date(Date.now() + 3 * 86_400_000)
    until.setSeconds(0, 0)
    const local = new Date(until.getTime() - until.getTimezoneOffset() * 60_000).toISOString().slice(0, 16)
    await dialog().getByLabel('Date and time', { exact: true }).last().fill(local)
    await press('Control+Enter')
    await waitForTask(page, 'Second')
    expect((await acme.owner.get('/inbox')).body.snoozed).toEqual({
      taskIds: [ids[0]],
      until: until.toISOString(),
    })
  })

  test('it returns to an open page at its time, and when something happens to it', async () => {
    const until = new Date(Date.now() + 6_000).toISOString()
    await acme.owner.put(`/tasks/${ids[0]}/snooze`, { until })
    page = (await visit(inbox())).page
    await names().toEqual(['Second', 'Third'])
    const announced = page.getByRole('button', { name: '1 new' })
    await announced.click({ timeout: 30_000 })
    await names().toEqual(['First', 'Second', 'Third'])

    await page.getByRole('option', { name: /Second/ }).click()
    await waitForTask(page, 'Second')
    await press('h')
    await dialog()
      .getByRole('radio', { name: /^In 1 hour/ })
      .waitFor()
    await press('Enter')
    await waitForTask(page, 'Third')
    await names().toEqual(['First', 'Third'])
    await acme.agent.post(`/tasks/${ids[1]}/updates`, { message: 'The customer has called.' })
    await announced.click()
    await names().toEqual(['First', 'Second', 'Third'])
  })

  test('the tab Snoozed lists it, and Show now returns it', async () => {
    await acme.owner.put(`/tasks/${ids[0]}/snooze`, { until: inAnHour() })
    page = (await visit(inbox())).page
    const tabs = page.getByRole('navigation', { name: 'Views' })
    await tabs.getByRole('link', { name: 'Snoozed 1' }).click()
    await names().toEqual(['First'])
    await page.getByRole('option', { name: /Snoozed until / }).click()
    await page.getByText(/^You have snoozed this task until/).waitFor()
    await expectAccessibleLayout(page)
    await page.getByRole('button', { name: 'Show now' }).click()
    await page.getByRole('heading', { name: 'No snoozed tasks' }).waitFor()
    expect(await page.getByText('New tasks that match').count()).toBe(0)
    await tabs.getByRole('link', { name: 'All' }).click()
    await names().toEqual(['First', 'Second', 'Third'])
    expect(await snoozedIds()).toEqual([])
  })
})
