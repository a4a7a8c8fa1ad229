import type { Locator, Page } from 'playwright-core'
import { describe, expect, test } from 'vitest'
import { shortcutEntries } from '../../../src/web/lib/shortcut-table.ts'
import { createTask, pressAtOnce } from '../../support/browser-actions.ts'
import { setUpBrowserTests } from '../../support/browser-tests.ts'
import { taskPayload } from '../../support/service.ts'
import { waitUntilAnswerable } from '../../support/wait-until-answerable.ts'

// Enter, Space and Esc are keys of the focused element and of the overlay itself.
const ownKeys = ['Enter', 'Space', 'Shift+Space', 'Escape']
// The task has two actions and two drafts, so other digits do nothing anyway. Of the sequences that
// open pages, two are enough.
const allKeys = shortcutEntries
  .flatMap(({ keys }) => keys)
  .filter((name) => !ownKeys.includes(name) && !/[3-9]$|^g [^ih]/.test(name))

// They would open another task, select it, answer it, or open another overlay.
const someKeys = ['j', 'x', 'e', 'Alt+Digit1', '$mod+Enter', '$mod+k']

const context = {
  data: { drafts: [{ text: 'One '.repeat(500) }, { text: 'Two '.repeat(500) }] },
  ui: { drafts: { 'ui:widget': 'compare' } },
}

type Overlay = {
  name: string
  open: (page: Page) => Promise<unknown>
  /** Whether Ctrl+Enter in the overlay sends an answer. Other tests cover that. */
  sends?: true
  /** Others of its kind are tried with all keys. */
  keys?: string[]
}

const waitForMenu = (page: Page) => page.getByRole('menu').waitFor()

const focusIsIn = (overlay: Locator) =>
  overlay.evaluate((element) => element.contains(document.activeElement))

const overlaysOfTask: Overlay[] = [
  { name: 'the reject dialog', open: (page) => page.keyboard.press('r'), sends: true },
  { name: 'the command palette', open: (page) => page.keyboard.press('Control+k'), keys: someKeys },
  { name: 'the shortcut sheet', open: (page) => page.keyboard.press('Shift+?'), keys: someKeys },
  {
    name: 'the payload',
    open: (page) => page.getByRole('button', { name: 'View payload' }).click(),
    keys: someKeys,
  },
  {
    name: 'the menu of the send button',
    open: async (page) => {
      await page.getByRole('button', { name: 'More send options' }).press('Enter')
      await waitForMenu(page)
    },
  },
  {
    name: 'the filters',
    open: async (page) => {
      await page.keyboard.press('f')
      await waitForMenu(page)
    },
    keys: someKeys,
  },
  {
    name: 'the account menu',
    open: async (page) => {
      await page.getByRole('button', { name: /^Account/ }).press('Enter')
      await waitForMenu(page)
    },
    keys: someKeys,
  },
]

const overlaysOfSelection: Overlay[] = [
  {
    name: 'the dialog that marks several done',
    open: (page) => page.getByRole('button', { name: 'Mark done…' }).click(),
    sends: true,
    keys: someKeys,
  },
  {
    name: 'the dialog that rejects several',
    open: (page) =>
      page.getByRole('region', { name: 'Selected tasks' }).getByRole('button', { name: 'Reject…' }).click(),
    sends: true,
    keys: someKeys,
  },
  {
    name: 'the dialog that answers several',
    open: async (page) => {
      await page.getByRole('button', { name: 'Answer…' }).click()
      await page.getByRole('group', { name: 'Shared actions' }).waitFor()
    },
    sends: true,
  },
]

const sheet: Overlay = {
  name: 'the sheet of an answer on a phone',
  open: (page) => page.getByRole('button', { name: 'Decline' }).click(),
  keys: someKeys,
}

describe('keys pressed in an overlay do nothing behind it', () => {
  const { acme, visit } = setUpBrowserTests({ freshWorkspace: true })

  async function openTask(width: number) {
    const payload = taskPayload({ context }, { name: 'Open' })
    const { taskId } = (await acme.agent.post('/tasks', payload)).body
    // A single action is preselected: an unintended Ctrl+Enter would send it.
    const actions = [{ id: 'approve', title: 'Approve' }]
    for (const name of ['Next', 'Last']) await createTask(acme, name, { actions })
    const { page } = await visit(`/w/${acme.workspaceId}/inbox/${taskId}`, { width, undoSeconds: 5 })
    const answered: string[] = []
    page.on('request', (request) => {
      if (/\/(handle|mark-done|reject)$/.test(request.url())) answered.push(request.url())
    })
    await page.getByRole('article').first().waitFor()
    if (width > 768) await expect.poll(() => page.getByRole('option').count()).toBe(3)
    await waitUntilAnswerable(page)
    return { page, answered }
  }

  /** The state that a shortcut of the page could change. */
  const stateOf = (page: Page) =>
    page.evaluate(() => {
      const all = (selector: string) => [...document.querySelectorAll(selector)]
      return {
        path: location.pathname,
        task: document.querySelector('h1')?.textContent,
        rows: all('#open-tasks [role=option]').map((row) =>
          ['id', 'aria-selected', 'aria-checked'].map((name) => row.getAttribute(name)).join(' '),
        ),
        pressed: all('.task-task [aria-pressed], .dock-dock [aria-pressed]').map((button) =>
          button.getAttribute('aria-pressed'),
        ),
        scrolled: document.getElementById('task-content')?.scrollTop,
        undo: all('.undo-stack-toasts button').length,
        overlays: all('[role=dialog], [role=menu]').length,
      }
    })

  async function expectNothingBehind(page: Page, { name, open, sends, keys = allKeys }: Overlay) {
    await open(page)
    const overlay = page.getByRole('dialog').or(page.getByRole('menu'))
    await overlay.waitFor()
    const before = await stateOf(page)
    expect([name, before.overlays]).toEqual([name, 1])
    for (const shortcut of keys) {
      if (sends && shortcut.endsWith('Enter')) continue
      for (const key of shortcut.replaceAll('$mod', 'Control').split(' ')) await page.keyboard.press(key)
      expect([name, shortcut, await stateOf(page)]).toEqual([name, shortcut, before])
    }
    await page.keyboard.press('Escape')
    await overlay.waitFor({ state: 'detached' })
  }

  test('in the dialogs, views and menus of a task and of several tasks', async () => {
    const { page, answered } = await openTask(1280)
    // One of two actions is selected, so that Ctrl+Enter would send it.
    await page.getByRole('button', { name: 'Approve', exact: false }).first().click()
    for (const overlay of overlaysOfTask) await expectNothingBehind(page, overlay)
    await page.keyboard.press('x')
    for (const overlay of overlaysOfSelection) await expectNothingBehind(page, overlay)
    expect(answered).toEqual([])
  })

  test('a menu or dialog that opens while another closes keeps the focus and stays open', async () => {
    const { page } = await openTask(1280)
    await page.getByRole('button', { name: 'Approve', exact: false }).first().click()
    const filters = page.getByRole('menu', { name: 'Filter' })
    const reject = page.getByRole('dialog', { name: 'Reject' })
    for (let round = 0; round < 2; round++) {
      await page.getByRole('button', { name: 'More send options' }).press('Enter')
      await waitForMenu(page)
      await pressAtOnce(page, 'Escape', 'f')
      await filters.waitFor()
      await expect.poll(() => focusIsIn(filters)).toBe(true)
      await pressAtOnce(page, 'Escape', 'r')
      await reject.waitFor()
      await expect.poll(() => focusIsIn(reject)).toBe(true)
      await pressAtOnce(page, 'Escape', 'f')
      await filters.waitFor()
      await page.keyboard.press('Escape')
      await filters.waitFor({ state: 'detached' })
    }
  })

  test('in the sheet of an answer on a phone', async () => {
    const { page, answered } = await openTask(390)
    await expectNothingBehind(page, sheet)
    expect(answered).toEqual([])
  })
})
