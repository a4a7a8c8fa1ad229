import type { Page } from 'playwright-core'
import { describe, expect, test } from 'vitest'
import { shortcutEntries } from '../../../src/web/lib/shortcut-table.ts'
import { createTask, taskNames } from '../../support/browser-actions.ts'
import { setUpBrowserTests } from '../../support/browser-tests.ts'
import { taskPayload } from '../../support/service.ts'
import { waitUntilAnswerable } from '../../support/wait-until-answerable.ts'

// Enter, Space and Esc are keys of the focused element and of the overlay itself.
const ownKeys = ['Enter', 'Space', 'Shift+Space', 'Escape']
const names = shortcutEntries.flatMap(({ keys }) => keys).filter((name) => !ownKeys.includes(name))

const context = {
  data: { drafts: [{ text: 'One '.repeat(2_000) }, { text: 'Two '.repeat(2_000) }] },
  ui: { drafts: { 'ui:widget': 'compare' } },
}

type Overlay = {
  name: string
  open: (page: Page) => Promise<unknown>
  /** Whether Ctrl+Enter in the overlay sends an answer. Other tests cover that. */
  sends?: true
  width?: number
}

const select = (page: Page) => page.keyboard.press('x')
const waitForMenu = (page: Page) => page.getByRole('menu').waitFor()

const overlays: Overlay[] = [
  { name: 'the reject dialog', open: (page) => page.keyboard.press('r'), sends: true },
  { name: 'the command palette', open: (page) => page.keyboard.press('Control+k') },
  { name: 'the shortcut sheet', open: (page) => page.keyboard.press('Shift+?') },
  { name: 'the payload', open: (page) => page.getByRole('button', { name: 'View payload' }).click() },
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
  {
    name: 'the dialog that marks several done',
    open: async (page) => {
      await select(page)
      await page.getByRole('button', { name: 'Mark done…' }).click()
    },
    sends: true,
  },
  {
    name: 'the dialog that rejects several',
    open: async (page) => {
      await select(page)
      await page
        .getByRole('region', { name: 'Selected tasks' })
        .getByRole('button', { name: 'Reject…' })
        .click()
    },
    sends: true,
  },
  {
    name: 'the dialog that answers several',
    open: async (page) => {
      await select(page)
      await page.getByRole('button', { name: 'Answer…' }).click()
      await page.getByRole('group', { name: 'Shared actions' }).waitFor()
    },
    sends: true,
  },
  {
    name: 'the sheet of an answer on a phone',
    open: (page) => page.getByRole('button', { name: 'Decline' }).click(),
    width: 390,
  },
]

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

  test.each(overlays)('$name', async ({ open, sends, width = 1280 }) => {
    const { page, answered } = await openTask(width)
    // One of two actions is selected, so that Ctrl+Enter would send it.
    if (width > 768) await page.getByRole('button', { name: 'Approve', exact: false }).first().click()
    await open(page)
    await page.getByRole('dialog').or(page.getByRole('menu')).waitFor()
    const before = await stateOf(page)
    expect(before.overlays).toBe(1)
    for (const name of names) {
      if (sends && name.endsWith('Enter')) continue
      for (const key of name.replaceAll('$mod', 'Control').split(' ')) await page.keyboard.press(key)
      expect([name, await stateOf(page)]).toEqual([name, before])
    }
    expect(answered).toEqual([])
  })

  test('Ctrl+Enter in the reject dialog rejects that task and answers no other', async () => {
    const { page } = await openTask(1280)
    await page.keyboard.press('r')
    await page.getByRole('dialog').waitFor()
    await page.keyboard.type('Not ours')
    await page.keyboard.press('Control+Enter')
    await page.getByRole('heading', { level: 1, name: 'Next' }).waitFor()
    await waitUntilAnswerable(page)
    expect(await taskNames(page)).toEqual(['Next', 'Last'])
  })
})
