import type { Locator, Page } from 'playwright-core'
import { describe, expect, test } from 'vitest'
import { shortcutEntries } from '../../../src/web/lib/shortcut-table.ts'
import { createTask, pressAtOnce } from '../../support/browser-actions.ts'
import { setUpBrowserTests } from '../../support/browser-tests.ts'
import { taskPayload } from '../../support/service.ts'
import { waitUntilAnswerable } from '../../support/wait-until-answerable.ts'

// Enter, Space and Esc are keys of the focused element and of the overlay itself.
const ownKeys = ['Enter', 'Space', 'Shift+Space', 'Escape']
const names: string[] = shortcutEntries.flatMap(({ keys }) => keys).filter((name) => !ownKeys.includes(name))

const context = {
  data: { drafts: [{ text: 'One '.repeat(500) }, { text: 'Two '.repeat(500) }] },
  ui: { drafts: { 'ui:widget': 'compare' } },
}

type Overlay = {
  name: string
  open: (page: Page) => Promise<unknown>
  /** Whether Ctrl+Enter in the overlay sends an answer. Other tests cover that. */
  sends?: true
}

const waitForMenu = (page: Page) => page.getByRole('menu').waitFor()

const focusIsIn = (overlay: Locator) =>
  overlay.evaluate((element) => element.contains(document.activeElement))

const overlaysOfTask: Overlay[] = [
  { name: 'the reject dialog', open: (page) => page.keyboard.press('r'), sends: true },
  { name: 'the command palette', open: (page) => page.keyboard.press('Control+k') },
  { name: 'the shortcut sheet', open: (page) => page.keyboard.press('Shift+?') },
  {
    name: 'the payload',
    open: (page) => page.getByRole('button', { name: 'View payload' }).click(),
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
  },
  {
    name: 'the account menu',
    open: async (page) => {
      await page.getByRole('button', { name: /^Account/ }).press('Enter')
      await waitForMenu(page)
    },
  },
]

const overlaysOfSelection: Overlay[] = [
  {
    name: 'the dialog that marks several done',
    open: (page) => page.getByRole('button', { name: 'Mark done…' }).click(),
    sends: true,
  },
  {
    name: 'the dialog that rejects several',
    open: (page) =>
      page.getByRole('region', { name: 'Selected tasks' }).getByRole('button', { name: 'Reject…' }).click(),
    sends: true,
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
}

type Key = Pick<KeyboardEvent, 'key' | 'code' | 'ctrlKey' | 'altKey' | 'shiftKey'>

/** The key presses of a shortcut, of which a sequence has two. */
function pressesOf(shortcut: string): Key[] {
  return shortcut.split(' ').map((press) => {
    const modifiers = press.split('+')
    const name = modifiers.pop()!
    const shiftKey = modifiers.includes('Shift')
    return {
      key: name.startsWith('Digit')
        ? name.slice(5)
        : shiftKey && name.length === 1
          ? name.toUpperCase()
          : name,
      code: /^[a-z]$/.test(name) ? `Key${name.toUpperCase()}` : name,
      ctrlKey: modifiers.includes('$mod'),
      altKey: modifiers.includes('Alt'),
      shiftKey,
    }
  })
}

/**
 * Presses each shortcut and returns those that changed something of the page. The events are
 * dispatched in the page, which takes a tenth of the time of real keys.
 */
const keysWithEffect = (page: Page, shortcuts: string[]) =>
  page.evaluate(
    async (tried) => {
      const all = (selector: string) => [...document.querySelectorAll(selector)]
      const state = () =>
        JSON.stringify([
          location.pathname,
          document.querySelector('h1')?.textContent,
          all('#open-tasks [role=option]').map((row) =>
            ['id', 'aria-selected', 'aria-checked'].map((name) => row.getAttribute(name)),
          ),
          all('.task-task [aria-pressed], .dock-dock [aria-pressed]').map((button) =>
            button.getAttribute('aria-pressed'),
          ),
          document.getElementById('task-content')?.scrollTop,
          all('.undo-stack-toasts button').length,
          all('[role=dialog], [role=menu]').length,
        ])
      const changed: string[] = []
      let before = state()
      for (const { name, presses } of tried) {
        for (const press of presses)
          for (const type of ['keydown', 'keyup'])
            (document.activeElement ?? document.body).dispatchEvent(
              new KeyboardEvent(type, { ...press, bubbles: true, cancelable: true }),
            )
        // The page is rendered before the second frame. In between, a task is enough: a late change
        // is noticed with the next key.
        const isLast = name === tried.at(-1)?.name
        await new Promise((done) =>
          isLast ? requestAnimationFrame(() => requestAnimationFrame(done)) : setTimeout(done),
        )
        const after = state()
        if (after !== before) changed.push(name)
        before = after
      }
      return changed
    },
    shortcuts.map((name) => ({ name, presses: pressesOf(name) })),
  )

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

  async function expectNothingBehind(page: Page, { name, open, sends }: Overlay) {
    await open(page)
    const overlay = page.getByRole('dialog').or(page.getByRole('menu'))
    await overlay.waitFor()
    expect(await overlay.count()).toBe(1)
    const tried = names.filter((shortcut) => !(sends && shortcut.endsWith('Enter')))
    expect([name, await keysWithEffect(page, tried)]).toEqual([name, []])
    await page.keyboard.press('Escape')
    await overlay.waitFor({ state: 'detached' })
  }

  /** Of menus and dialogs that open while another closes. */
  async function expectFocusStaysInTheNext(page: Page) {
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
  }

  test('in the dialogs, views and menus of a task and of several tasks; one that opens while another closes keeps the focus and stays open', async () => {
    const { page, answered } = await openTask(1280)
    // One of two actions is selected, so that Ctrl+Enter would send it.
    await page.getByRole('button', { name: 'Approve', exact: false }).first().click()
    for (const overlay of overlaysOfTask) await expectNothingBehind(page, overlay)
    // The last of them, a menu, returns the focus to its button.
    await page.locator('button[aria-label^="Account"]:focus').waitFor()
    await expectFocusStaysInTheNext(page)
    // Without an overlay, keys do have an effect.
    expect(await keysWithEffect(page, ['f', 'x'])).toEqual(['f'])
    await page.keyboard.press('Escape')
    await page.getByRole('menu').waitFor({ state: 'detached' })
    expect(await keysWithEffect(page, ['x'])).toEqual(['x'])
    for (const overlay of overlaysOfSelection) await expectNothingBehind(page, overlay)
    expect(answered).toEqual([])
  })

  test('in the sheet of an answer on a phone', async () => {
    const { page, answered } = await openTask(390)
    await expectNothingBehind(page, sheet)
    expect(answered).toEqual([])
  })
})
