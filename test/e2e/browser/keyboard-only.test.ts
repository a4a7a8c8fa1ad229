import type { Page } from 'playwright-core'
import { describe, expect, test } from 'vitest'
import type { Visitor } from '../../support/browser.ts'
import { createTask, waitForRejectDialog, waitForTask } from '../../support/browser-actions.ts'
import { setUpBrowserTests } from '../../support/browser-tests.ts'
import { taskPayload } from '../../support/service.ts'

const rating = {
  id: 'rate',
  title: 'Rate it',
  schema: {
    type: 'object',
    required: ['verdict'],
    properties: {
      verdict: { type: 'string', title: 'Verdict', enum: ['good', 'bad'], enumNames: ['Good', 'Bad'] },
      note: { type: 'string', title: 'Note' },
    },
  },
  ui: { verdict: { 'ui:widget': 'radio' }, note: { 'ui:widget': 'textarea' } },
}

const three = [
  ['First', {}],
  ['Second', {}],
  ['Third', { actions: [rating] }],
] as const

describe('tasks are answered without a mouse', () => {
  const { acme, visit } = setUpBrowserTests({ freshWorkspace: true })

  /** Opens the inbox with these tasks. Nothing has the focus yet. */
  async function openInbox(
    tasks: readonly (readonly [name: string, more: Record<string, unknown>])[] = three,
    visitor?: Visitor,
  ) {
    const ids: string[] = []
    for (const [name, more] of tasks) {
      ids.push(await createTask(acme, name, more))
    }
    const { page } = await visit(`/w/${acme.workspaceId}/inbox`, visitor)
    await expect.poll(() => page.getByRole('option').count()).toBe(tasks.length)
    return { page, ids }
  }

  /**
   * The id of the focused element. The focus must never be on the body, where a screen reader would
   * start at the top.
   */
  const focusIs = (page: Page, id: string) => expect.poll(() => focusOf(page)).toBe(id)
  const focusOf = (page: Page) =>
    page.evaluate(() => {
      const { id, tagName } = document.activeElement ?? document.body
      return id || tagName
    })
  async function answersTo(ids: string[]) {
    const answers = await Promise.all(ids.map((id) => acme.agent.get(`/tasks/${id}`)))
    return answers.map(({ body }) => [body.handled?.actionId, body.handled?.data])
  }

  test('two more rows stay visible below the open one with J, and above it with K', async () => {
    const tasks = Array.from({ length: 8 }, (_, n) =>
      taskPayload({ priority: n < 4 ? 'high' : 'normal' }, { name: `Task ${n}` }),
    )
    await acme.agent.post('/tasks/batch', { tasks })
    // Tasks of one batch may share a timestamp; the service then chooses their order.
    const { rows } = (await acme.owner.get('/inbox')).body
    const names: string[] = rows.map(({ name }: { name: string }) => name)
    const { page } = await visit(`/w/${acme.workspaceId}/inbox`, { height: 480 })
    await page.getByRole('option').first().waitFor()

    /** Opens the next row by key. */
    async function step(key: 'j' | 'k', position: number) {
      await page.keyboard.press(key)
      await page.getByRole('heading', { level: 1, name: names[position - 1]!, exact: true }).waitFor()
    }
    /** The position of the last fully visible row, or of the first one below the group header. */
    const visible = (end: 'first' | 'last') =>
      page.getByRole('listbox').evaluate((list, isLast) => {
        const { top, bottom } = list.getBoundingClientRect()
        const header = list.querySelector('.rows-stuck')!.getBoundingClientRect().height
        const visible = [...list.querySelectorAll('[role=option]')].filter((row) => {
          const box = row.getBoundingClientRect()
          return box.bottom <= bottom && box.top >= top + header
        })
        return Number(visible.at(isLast ? -1 : 0)?.getAttribute('aria-posinset'))
      }, end === 'last')
    const last = names.length
    expect(await visible('last')).toBeLessThan(last)
    for (let position = 1; position <= last; position++) {
      await step('j', position)
      await expect.poll(() => visible('last')).toBeGreaterThanOrEqual(Math.min(position + 2, last))
    }
    for (let position = last - 1; position >= 1; position--) {
      await step('k', position)
      await expect.poll(() => visible('first')).toBeLessThanOrEqual(Math.max(position - 2, 1))
    }
  })

  test('J, K, Enter, Esc, Alt and a digit, Ctrl+Enter: three tasks from the first to the last', async () => {
    const { page, ids } = await openInbox()
    const press = (key: string) => page.keyboard.press(key)

    await press('j')
    await waitForTask(page, 'First')
    await focusIs(page, 'open-tasks')
    await press('ArrowDown')
    await waitForTask(page, 'Second')
    await press('k')
    await waitForTask(page, 'First')
    const active = () => page.getByRole('listbox').getAttribute('aria-activedescendant')
    await expect.poll(active).toBe(`row-${ids[0]}`)
    await press('Enter')
    await focusIs(page, 'task-content')
    await press('Escape')
    await focusIs(page, 'open-tasks')
    await press('Alt+1')
    await page.getByRole('button', { name: 'Approve', pressed: true }).waitFor()
    await press('Control+Enter')

    await waitForTask(page, 'Second')
    await focusIs(page, 'open-tasks')
    await press('Alt+2')
    await focusIs(page, 'answer_reason')
    await press('Control+Enter')
    await page.getByText('This field is required.').waitFor()
    await focusIs(page, 'answer_reason')
    await page.keyboard.type('Too late, jk')
    await press('Escape')
    await focusIs(page, 'task-content')
    await press('Control+Enter')

    await waitForTask(page, 'Third')
    await focusIs(page, 'open-tasks')
    const bad = page.getByRole('radio', { name: 'Bad' })
    await bad.waitFor()
    await press('2')
    await expect.poll(() => bad.isChecked()).toBe(true)
    await press('r')
    const dialog = page.getByRole('dialog', { name: 'Reject task' })
    await dialog.waitFor()
    await dialog.locator(':focus').waitFor()
    await press('Escape')
    await expect.poll(() => bad.evaluate((option) => option === document.activeElement)).toBe(true)
    // On an option, Enter sends only what can be undone.
    await press('Enter')
    await page.getByText('Press Ctrl ↵ to send.').waitFor()
    await press('Control+Enter')

    await page.getByRole('heading', { name: 'No open tasks' }).waitFor()
    await focusIs(page, 'inbox')
    await press('Shift+?')
    await page.getByRole('dialog', { name: 'Keyboard shortcuts' }).waitFor()
    await press('Escape')
    await focusIs(page, 'inbox')

    await expect
      .poll(() => answersTo(ids))
      .toEqual([
        ['approve', {}],
        ['decline', { reason: 'Too late, jk' }],
        ['rate', { verdict: 'bad' }],
      ])
  })

  test('five tasks are answered with one or two keys each', async () => {
    const tasks = [
      ['First', {}],
      ['Second', {}],
      ['Third', {}],
      ['Fourth', { actions: [rating] }],
      ['Fifth', {}],
    ] as const
    const { page, ids } = await openInbox(tasks, { undoSeconds: 600 })
    const press = (key: string) => page.keyboard.press(key)
    async function waitForNext(name: string) {
      await waitForTask(page, name)
      await focusIs(page, 'open-tasks')
    }
    await press('j')
    await waitForNext('First')
    await press('Alt+1')

    await waitForNext('Second')
    await press('Alt+2')
    await focusIs(page, 'answer_reason')
    await page.keyboard.type('Ten zeros')
    await press('Enter')

    await waitForNext('Third')
    await press('e')

    await waitForNext('Fourth')
    const bad = page.getByRole('radio', { name: 'Bad' })
    await bad.waitFor()
    await press('2')
    await expect.poll(() => bad.isChecked()).toBe(true)
    await press('Enter')

    await waitForNext('Fifth')
    await press('r')
    await waitForRejectDialog(page)
    await page.keyboard.type('Not mine')
    await press('Control+Enter')
    await page.getByRole('heading', { name: 'No open tasks' }).waitFor()
    await focusIs(page, 'inbox')
    await page.getByRole('button', { name: 'Send now' }).press('Enter')
    await focusIs(page, 'inbox')
    // Leaving the page sends the others.
    await page.goto('about:blank')

    await expect
      .poll(() => answersTo(ids))
      .toEqual([
        ['approve', {}],
        ['decline', { reason: 'Ten zeros' }],
        ['service:mark-done', {}],
        ['rate', { verdict: 'bad' }],
        ['service:reject-request', { feedback: 'Not mine' }],
      ])
  })
})
