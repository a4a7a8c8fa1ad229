import type { Page } from 'playwright-core'
import { describe, expect, test } from 'vitest'
import { axeViolations, type Visitor } from '../../support/browser.ts'
import {
  createTasks,
  pressAtOnce,
  taskNames,
  waitForRejectDialog,
  waitForTask,
} from '../../support/browser-actions.ts'
import { setUpBrowserTests } from '../../support/browser-tests.ts'

const onlyApprove = { actions: [{ id: 'approve', title: 'Approve' }] }
const names = ['First', 'Second', 'Third', 'Fourth', 'Fifth']
const dock = (page: Page) => page.getByRole('complementary', { name: 'Your answer' })
const primary = (page: Page) => dock(page).locator('.submit-row-submit .primary').first()

describe('one key press gives one answer, even with a slow server', () => {
  const { acme, visit } = setUpBrowserTests({ freshWorkspace: true })

  /** Opens the first of five tasks. Answers reach the service only with `letThrough`. */
  async function openFirst(visitor: Visitor = {}) {
    const ids = await createTasks(acme, names, onlyApprove)
    const { page } = await visit(`/w/${acme.workspaceId}/inbox/${ids[0]}`, visitor)
    const answeredIds: string[] = []
    const held: (() => void)[] = []
    await page.route(/\/(handle|mark-done|reject)$/, async (route) => {
      answeredIds.push(/tasks\/(\w+)\//.exec(route.request().url())![1]!)
      await new Promise<void>((resolve) => held.push(resolve))
      await route.continue()
    })
    await waitForTask(page, 'First')
    /** Waits until the service has answers to exactly these tasks. */
    async function letThrough(answered: string[]) {
      await expect.poll(() => answeredIds.length).toBeGreaterThanOrEqual(answered.length)
      for (const resolve of held.splice(0)) resolve()
      const statusOf = async (id: string) => (await acme.agent.get(`/tasks/${id}`)).body.status
      await expect.poll(() => Promise.all(answered.map(statusOf))).toEqual(answered.map(() => 'handled'))
      expect(answeredIds).toEqual(answered)
    }
    return { page, ids, answeredIds, letThrough }
  }

  async function repeat(page: Page, key: string) {
    for (let count = 0; count < 5; count++) await page.keyboard.down(key)
  }

  /** Holds a key, which repeats until it is released, after the next task accepts answers. */
  async function hold(page: Page, key: string, next: string) {
    await repeat(page, key)
    await page.getByRole('heading', { level: 1, name: next, exact: true }).waitFor()
    await repeat(page, key)
    await waitForTask(page, next)
    await repeat(page, key)
    await page.keyboard.up(key)
  }

  test('Ctrl+Enter or Enter, held: in the task, on the button, in its menu, and in the reject dialog', async () => {
    const { page, ids, letThrough } = await openFirst()
    await page.keyboard.down('Control')
    await hold(page, 'Enter', 'Second')
    await page.keyboard.up('Control')
    await letThrough([ids[0]!])

    await primary(page).focus()
    await hold(page, 'Enter', 'Third')
    await letThrough(ids.slice(0, 2))

    // The arrow beside the button opens a menu.
    await page.getByRole('button', { name: 'More send options' }).focus()
    await repeat(page, 'Enter')
    await page.keyboard.up('Enter')
    await page.getByRole('menuitem', { name: 'Send and open next task' }).focus()
    await hold(page, 'Enter', 'Fourth')
    await letThrough(ids.slice(0, 3))

    await page.keyboard.press('r')
    await waitForRejectDialog(page)
    await page.keyboard.type('Not ours')
    await page.keyboard.down('Control')
    await hold(page, 'Enter', 'Fifth')
    await page.keyboard.up('Control')
    await letThrough(ids.slice(0, 4))
    expect(await taskNames(page)).toEqual(['Fifth'])
  })

  test('Alt+1 and E, held, where they are one key; a double click, even a slow one; a person who opens another task meanwhile stays there', async () => {
    const { page, ids, answeredIds, letThrough } = await openFirst({ undoSeconds: 600 })
    await page.keyboard.down('Alt')
    await hold(page, '1', 'Second')
    await page.keyboard.up('Alt')
    expect(await taskNames(page)).toEqual(names.slice(1))
    await hold(page, 'e', 'Third')
    expect(await taskNames(page)).toEqual(names.slice(2))
    expect(answeredIds).toEqual([])
    for (const name of ['Second', 'First']) {
      await page.keyboard.press('z')
      await waitForTask(page, name)
    }
    expect(await taskNames(page)).toEqual(names)

    await page.evaluate(() => {
      localStorage['handrail.undoSeconds'] = '0'
    })
    const { x, y } = (await primary(page).boundingBox())!
    await page.mouse.click(x + 8, y + 8)
    await waitForTask(page, 'Second')
    // A double click may take longer than the time after which a task accepts answers.
    await page.mouse.move(x + 8, y + 8)
    await page.mouse.down({ clickCount: 2 })
    await page.mouse.up({ clickCount: 2 })
    await dock(page).getByText('The task had only just appeared or changed, so nothing was sent.').waitFor()
    await letThrough([ids[0]!])
    expect(await taskNames(page)).toEqual(names.slice(1))

    await page.keyboard.press('Control+Enter')
    await page.getByRole('option', { name: /Fourth/ }).click()
    await waitForTask(page, 'Fourth')
    await letThrough(ids.slice(0, 2))
    expect(await page.getByRole('heading', { level: 1 }).innerText()).toBe('Fourth')
  })

  test('a held key that opens a dialog neither confirms nor types, and words for a dialog that did not open answer nothing', async () => {
    const { page, ids, answeredIds } = await openFirst()
    // Asks because nothing can be undone.
    await repeat(page, 'e')
    const confirmation = page.getByRole('dialog', { name: 'Mark done?' })
    await confirmation.waitFor()
    await repeat(page, 'e')
    await page.keyboard.up('e')
    expect(await axeViolations(page)).toEqual([])
    await page.keyboard.press('Escape')
    await confirmation.waitFor({ state: 'detached' })

    await page.keyboard.down('r')
    await waitForRejectDialog(page)
    await repeat(page, 'r')
    await page.keyboard.up('r')
    expect(await page.getByLabel('Why?').inputValue()).toBe('')
    await page.keyboard.type('rr')
    expect(await page.getByLabel('Why?').inputValue()).toBe('rr')
    await page.keyboard.press('Escape')
    await page.getByRole('dialog').waitFor({ state: 'detached' })

    let release = () => {}
    const held = new Promise<void>((resolve) => {
      release = resolve
    })
    await page.route(new RegExp(`/tasks/${ids[3]}\\?`), async (route) => {
      await held
      await route.continue()
    })
    await page.getByRole('option', { name: /Fourth/ }).click()
    await page.getByRole('status', { name: 'Loading task' }).waitFor()
    await page.keyboard.press('r')
    release()
    let isShown = false
    const shown = waitForTask(page, 'Fourth').finally(() => {
      isShown = true
    })
    while (!isShown) await page.keyboard.press('m')
    await shown
    await pressAtOnce(page, 'm', 'e')
    await dock(page).getByText('The task had only just appeared or changed, so nothing was sent.').waitFor()
    expect(answeredIds).toEqual([])
    expect(await taskNames(page)).toEqual(names)
  })
})
