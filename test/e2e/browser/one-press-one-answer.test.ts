import type { Page } from 'playwright-core'
import { describe, expect, test } from 'vitest'
import { axeViolations, type Visitor } from '../../support/browser.ts'
import {
  createTasks,
  markDone,
  pressAtOnce,
  taskNames,
  waitForRejectDialog,
  waitForTask,
} from '../../support/browser-actions.ts'
import { setUpBrowserTests } from '../../support/browser-tests.ts'

const onlyApprove = { actions: [{ id: 'approve', title: 'Approve' }] }
const dock = (page: Page) => page.getByRole('complementary', { name: 'Your answer' })
const primary = (page: Page) => dock(page).locator('.submit-row-submit .primary').first()

describe('one key press gives one answer, even with a slow server', () => {
  const { acme, visit } = setUpBrowserTests({ freshWorkspace: true })

  /** Opens the first of four tasks. The server responds only after the next task is shown. */
  async function openFirst(visitor: Visitor = {}) {
    const ids = await createTasks(acme, ['First', 'Second', 'Third', 'Fourth'], onlyApprove)
    const { page } = await visit(`/w/${acme.workspaceId}/inbox/${ids[0]}`, visitor)
    const answeredIds: string[] = []
    await page.route(/\/(handle|mark-done|reject)$/, async (route) => {
      answeredIds.push(/tasks\/(\w+)\//.exec(route.request().url())![1]!)
      await new Promise((resolve) => setTimeout(resolve, 400))
      await route.continue()
    })
    await waitForTask(page, 'First')
    return { page, ids, answeredIds }
  }

  /** Holds a key, which repeats until it is released, after the next task accepts answers. */
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

  async function expectOneAnswer({ page, ids, answeredIds }: Awaited<ReturnType<typeof openFirst>>) {
    await waitForTask(page, 'Second')
    await expect.poll(async () => (await acme.agent.get(`/tasks/${ids[0]}`)).body.status).toBe('handled')
    expect(answeredIds).toEqual([ids[0]])
    expect(await taskNames(page)).toEqual(['Second', 'Third', 'Fourth'])
  }

  const heldKeys: [name: string, answer: (page: Page) => Promise<void>][] = [
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
        const more = page.getByRole('button', { name: 'More send options' })
        await more.focus()
        for (let repeat = 0; repeat < 10; repeat++) await page.keyboard.down('Enter')
        await page.keyboard.up('Enter')
        await page.getByRole('menuitem', { name: 'Send and open next task' }).waitFor()
        await page.keyboard.press('ArrowDown')
        await hold(page, 'Enter')
      },
    ],
    [
      'Ctrl+Enter in the reject dialog',
      async (page) => {
        await page.keyboard.press('r')
        await waitForRejectDialog(page)
        await page.keyboard.type('Not ours')
        await page.keyboard.down('Control')
        await hold(page, 'Enter')
        await page.keyboard.up('Control')
      },
    ],
  ]

  test.each(heldKeys)('%s, held', async (_, answer) => {
    const opened = await openFirst()
    await answer(opened.page)
    await expectOneAnswer(opened)
  })

  test.each([
    ['Alt+1', '1'],
    ['E', 'e'],
  ])('%s, held, where it can be undone and is therefore one key', async (name, key) => {
    const { page, answeredIds } = await openFirst({ undoSeconds: 60 })
    if (name !== 'E') await page.keyboard.down('Alt')
    await hold(page, key)
    if (name !== 'E') await page.keyboard.up('Alt')
    expect(await page.getByRole('option').count()).toBe(3)
    expect(answeredIds).toEqual([])
  })

  test('a double click, even a slow one', async () => {
    const opened = await openFirst()
    const { page } = opened
    const { x, y } = (await primary(page).boundingBox())!
    await page.mouse.click(x + 8, y + 8)
    await waitForTask(page, 'Second')
    // A double click may take longer than the time after which a task accepts answers.
    await page.mouse.move(x + 8, y + 8)
    await page.mouse.down({ clickCount: 2 })
    await page.mouse.up({ clickCount: 2 })
    await dock(page).getByText('The task had only just appeared or changed, so nothing was sent.').waitFor()
    await expectOneAnswer(opened)
  })

  test('a person who opens another task meanwhile stays there', async () => {
    const { page, ids } = await openFirst()
    await page.keyboard.press('Control+Enter')
    await page.getByRole('option', { name: /Fourth/ }).click()
    await waitForTask(page, 'Fourth')
    await expect.poll(async () => (await acme.agent.get(`/tasks/${ids[0]}`)).body.status).toBe('handled')
    expect(await page.getByRole('heading', { level: 1 }).innerText()).toBe('Fourth')
  })

  test('E, held, only opens the dialog that asks where nothing can be undone', async () => {
    const { page, answeredIds } = await openFirst()
    for (let repeat = 0; repeat < 10; repeat++) await page.keyboard.down('e')
    await page.getByRole('dialog', { name: 'Mark done?' }).waitFor()
    for (let repeat = 0; repeat < 5; repeat++) await page.keyboard.down('e')
    await page.keyboard.up('e')
    expect(answeredIds).toEqual([])
    expect(await axeViolations(page)).toEqual([])
  })

  test('a key that opens the reject dialog and is held types nothing into it', async () => {
    const { page, answeredIds } = await openFirst()
    await page.keyboard.down('r')
    await page.getByRole('dialog').waitFor()
    for (let repeat = 0; repeat < 5; repeat++) await page.keyboard.down('r')
    await page.keyboard.up('r')
    expect(await page.getByLabel('Why?').inputValue()).toBe('')
    await page.keyboard.type('rr')
    expect(await page.getByLabel('Why?').inputValue()).toBe('rr')
    expect(answeredIds).toEqual([])
  })

  test('words typed for a dialog that did not open answer nothing', async () => {
    const { page, ids, answeredIds } = await openFirst()
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
    expect(await page.getByRole('option').count()).toBe(4)
  })

  test('a tab that becomes visible again accepts an answer only after it has been in view', async () => {
    const opened = await openFirst()
    const { page } = opened
    await page.evaluate(() => {
      Object.defineProperty(document, 'visibilityState', { configurable: true, get: () => 'hidden' })
      document.dispatchEvent(new Event('visibilitychange'))
    })
    await page.keyboard.press('e')
    await dock(page).getByText('The task had only just appeared or changed, so nothing was sent.').waitFor()
    expect(opened.answeredIds).toEqual([])
    await page.evaluate(() => {
      Reflect.deleteProperty(document, 'visibilityState')
      document.dispatchEvent(new Event('visibilitychange'))
    })
    await markDone(page)
    await expectOneAnswer(opened)
  })
})
