import type { Page } from 'playwright-core'
import { beforeEach, describe, expect, test } from 'vitest'
import { expectAccessibleLayout } from '../../support/accessible-layout.ts'
import { createTasks, taskNames, waitForTask } from '../../support/browser-actions.ts'
import { setUpBrowserTests } from '../../support/browser-tests.ts'

describe('a person snoozes a task', () => {
  const { acme, visit } = setUpBrowserTests({ freshWorkspace: true })
  let page: Page
  let ids: string[]
  beforeEach(async () => {
    ids = await createTasks(acme, ['First', 'Second', 'Third'])
  })

  const inbox = () => `/w/${acme.workspaceId}/inbox`
  const press = (key: string) => page.keyboard.press(key)
  const dialog = () => page.getByRole('dialog', { name: 'Snooze task' })
  const snoozedIds = async () => (await acme.owner.get('/inbox')).body.snoozed.taskIds
  const names = () => expect.poll(() => taskNames(page))

  async function snoozeForAnHour() {
    await press('h')
    await dialog()
      .getByRole('radio', { name: /^In 1 hour/ })
      .waitFor()
    await press('Enter')
  }

  test('H hides it from their own inbox and opens the next task; Z shows it again', async () => {
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

    // Undo is offered for eight seconds.
    await snoozeForAnHour()
    await page.getByRole('button', { name: /^Undo/ }).waitFor()
    await press('z')
    await waitForTask(page, 'Second')
    await names().toEqual(['Second', 'Third'])
    expect(await snoozedIds()).toEqual([ids[0]])
  })

  test('it returns to an open page at its time, when something happens to it, and with Show now in the tab Snoozed', async () => {
    const snoozeFirstFor = (milliseconds: number) =>
      acme.owner.put(`/tasks/${ids[0]}/snooze`, { until: new Date(Date.now() + milliseconds).toISOString() })
    await snoozeFirstFor(60_000)
    page = (await visit(inbox())).page
    await names().toEqual(['Second', 'Third'])
    const announced = page.getByRole('button', { name: '1 new' })

    await page.getByRole('option', { name: /Second/ }).click()
    await waitForTask(page, 'Second')
    await page.getByRole('button', { name: 'More actions' }).click()
    await page.getByRole('menuitem', { name: /^Snooze/ }).click()
    await dialog()
      .getByRole('radio', { name: /^In 1 hour/ })
      .waitFor()
    // The page learns of the new time when it sends the snooze of the second task.
    await snoozeFirstFor(1_500)
    await press('Enter')
    await waitForTask(page, 'Third')
    await announced.click()
    await names().toEqual(['First', 'Third'])
    await acme.agent.post(`/tasks/${ids[1]}/updates`, { message: 'The customer has called.' })
    await announced.click()
    await names().toEqual(['First', 'Second', 'Third'])

    await snoozeForAnHour()
    await names().toEqual(['First', 'Second'])
    const tabs = page.getByRole('navigation', { name: 'Views' })
    await tabs.getByRole('link', { name: 'Snoozed 1' }).click()
    await names().toEqual(['Third'])
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
