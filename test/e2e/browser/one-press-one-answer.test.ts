import type { Page } from 'playwright-core'
import { describe, expect, test } from 'vitest'
import type { Visitor } from '../../support/browser.ts'
import { createTasks, taskNames, waitForTask } from '../../support/browser-actions.ts'
import { setUpBrowserTests } from '../../support/browser-tests.ts'
import { waitUntilAnswerable } from '../../support/wait-until-answerable.ts'

const onlyApprove = { actions: [{ id: 'approve', title: 'Approve' }] }
const dock = (page: Page) => page.getByRole('complementary', { name: 'Your answer' })
const primary = (page: Page) => dock(page).locator('.submit-row-submit .primary').first()

describe('one key press gives one answer, even with a slow server', () => {
  const { acme, visit } = setUpBrowserTests({ freshWorkspace: true })

  /** Four tasks, the first of them open and answerable; a server that answers after the person has gone on. */
  async function begin(visitor: Visitor = {}) {
    const ids = await createTasks(acme, ['First', 'Second', 'Third', 'Fourth'], onlyApprove)
    const { page } = await visit(`/w/${acme.workspaceId}/inbox/${ids[0]}`, visitor)
    const asked: string[] = []
    await page.route(/\/(handle|mark-done|reject)$/, async (route) => {
      asked.push(/tasks\/(\w+)\//.exec(route.request().url())![1]!)
      await new Promise((resolve) => setTimeout(resolve, 400))
      await route.continue()
    })
    await waitForTask(page, 'First')
    return { page, ids, asked }
  }

  /** As a keyboard does it: the key repeats until it is let go, here well after the next task takes answers. */
  async function hold(page: Page, key: string) {
    let isNext = false
    const next = waitForTask(page, 'Second').finally(() => {
      isNext = true
    })
    while (!isNext) await page.keyboard.down(key)
    await next
    for (let repeat = 0; repeat < 10; repeat++) await page.keyboard.down(key)
    await page.keyboard.up(key)
  }

  async function onlyTheFirst({ page, ids, asked }: Awaited<ReturnType<typeof begin>>) {
    await waitForTask(page, 'Second')
    await expect.poll(async () => (await acme.agent.get(`/tasks/${ids[0]}`)).body.status).toBe('handled')
    expect(asked).toEqual([ids[0]])
    expect(await taskNames(page)).toEqual(['Second', 'Third', 'Fourth'])
  }

  const ways: [name: string, answer: (page: Page) => Promise<void>][] = [
    ['E', (page) => hold(page, 'e')],
    [
      'Ctrl+Enter',
      async (page) => {
        await page.keyboard.down('Control')
        await hold(page, 'Enter')
        await page.keyboard.up('Control')
      },
    ],
    [
      'Enter on the button',
      async (page) => {
        await primary(page).focus()
        await hold(page, 'Enter')
      },
    ],
    [
      'Enter on the arrow beside it, which opens a menu',
      async (page) => {
        const more = page.getByRole('button', { name: 'More ways to send' })
        await more.focus()
        for (let repeat = 0; repeat < 10; repeat++) await page.keyboard.down('Enter')
        await page.keyboard.up('Enter')
        await page.getByRole('menuitem', { name: 'Send and go on' }).waitFor()
        await page.keyboard.press('ArrowDown')
        await hold(page, 'Enter')
      },
    ],
    [
      'Ctrl+Enter in the reject dialog',
      async (page) => {
        await page.keyboard.press('r')
        await page.getByRole('dialog').waitFor()
        await page.keyboard.type('Not ours')
        await page.keyboard.down('Control')
        await hold(page, 'Enter')
        await page.keyboard.up('Control')
      },
    ],
  ]

  test.each(ways)('%s, held', async (_, answer) => {
    const begun = await begin()
    await answer(begun.page)
    await onlyTheFirst(begun)
  })

  test('Alt+1, held, where an action without a form is one key', async () => {
    const { page, asked } = await begin({ undoSeconds: 10 })
    await page.keyboard.down('Alt')
    await hold(page, '1')
    await page.keyboard.up('Alt')
    expect(await page.getByRole('option').count()).toBe(3)
    expect(asked).toEqual([])
  })

  test('a double click, even a slow one', async () => {
    const begun = await begin()
    const { page } = begun
    const { x, y } = (await primary(page).boundingBox())!
    await page.mouse.click(x + 8, y + 8)
    await waitForTask(page, 'Second')
    // What an operating system counts as a double click may take longer than a task must be in view.
    await page.mouse.move(x + 8, y + 8)
    await page.mouse.down({ clickCount: 2 })
    await page.mouse.up({ clickCount: 2 })
    await dock(page).getByText('That was too quick. Nothing was answered.').waitFor()
    await onlyTheFirst(begun)
  })

  test('a key that opens the reject dialog and is held types nothing into it', async () => {
    const { page, asked } = await begin()
    await page.keyboard.down('r')
    await page.getByRole('dialog').waitFor()
    for (let repeat = 0; repeat < 5; repeat++) await page.keyboard.down('r')
    await page.keyboard.up('r')
    expect(await page.getByLabel('Why?').inputValue()).toBe('')
    await page.keyboard.type('rr')
    expect(await page.getByLabel('Why?').inputValue()).toBe('rr')
    expect(asked).toEqual([])
  })

  test('words typed for a dialog that did not open answer nothing', async () => {
    const { page, ids, asked } = await begin()
    let letGo = () => {}
    const held = new Promise<void>((resolve) => {
      letGo = resolve
    })
    await page.route(new RegExp(`/tasks/${ids[3]}\\?`), async (route) => {
      await held
      await route.continue()
    })
    await page.getByRole('option', { name: /Fourth/ }).click()
    await page.getByRole('status', { name: 'Loading the task' }).waitFor()
    await page.keyboard.press('r')
    letGo()
    let isShown = false
    const shown = waitForTask(page, 'Fourth').finally(() => {
      isShown = true
    })
    while (!isShown) await page.keyboard.press('n')
    await shown
    await page.keyboard.press('e')
    await dock(page).getByText('That was too quick. Nothing was answered.').waitFor()
    expect(asked).toEqual([])
    expect(await page.getByRole('option').count()).toBe(4)
  })

  test('a tab that becomes visible again accepts an answer only after it has been in view', async () => {
    const begun = await begin()
    const { page } = begun
    await page.evaluate(() => {
      Object.defineProperty(document, 'visibilityState', { configurable: true, get: () => 'hidden' })
      document.dispatchEvent(new Event('visibilitychange'))
    })
    await page.keyboard.press('e')
    await dock(page).getByText('That was too quick. Nothing was answered.').waitFor()
    expect(begun.asked).toEqual([])
    await page.evaluate(() => {
      Reflect.deleteProperty(document, 'visibilityState')
      document.dispatchEvent(new Event('visibilitychange'))
    })
    await waitUntilAnswerable(page)
    await page.keyboard.press('e')
    await onlyTheFirst(begun)
  })
})
