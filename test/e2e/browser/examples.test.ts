import type { Page } from 'playwright-core'
import { describe, expect, test } from 'vitest'
import { examples } from '../../../src/contract/gallery/examples.ts'
import { expectAccessibleLayout } from '../../support/accessible-layout.ts'
import { setUpBrowserTests } from '../../support/browser-tests.ts'
import { waitUntilAnswerable } from '../../support/wait-until-answerable.ts'

/** The keys that answer each example. Alt and a digit selects the action. */
const keys: Record<string, string[]> = {
  'compare-answers': ['1', 'Alt+1', 'Tab', 'type:It says when to use it.', 'Control+Enter'],
  'refund-approval': ['Alt+1', 'Control+Enter'],
  'email-review': ['i', 'type:, Northwind', 'Control+Enter'],
  'disputed-charge': ['Alt+1', 'Control+Enter'],
  'quote-revision': ['Alt+1', 'Control+Enter'],
  'deploy-approval': ['Alt+1', 'Control+Enter'],
  'content-moderation': ['Alt+2', 'Space', 'Control+Enter'],
  'extraction-correction': ['Alt+1', 'Control+Enter'],
  escalation: ['Alt+1', 'type:I look at it with you.', 'Control+Enter'],
  'free-question': ['Alt+1', 'type:Amara Osei', 'Control+Enter'],
  ranking: ['Alt+1', 'Space', 'Tab', 'Space', 'Control+Enter'],
  'data-change': ['Alt+1', 'Control+Enter'],
  'plan-review': ['Alt+1', 'Space', 'Control+Enter'],
}

const { acme, visit, blankTab } = setUpBrowserTests()

async function press(page: Page, key: string) {
  if (key.startsWith('type:')) await page.keyboard.type(key.slice(5))
  else await page.keyboard.press(key)
}

describe('the examples', () => {
  test('every example renders without a fallback, can be sent, and is answered by keyboard', async () => {
    expect(Object.keys(keys).sort()).toEqual(examples.map(({ id }) => id).sort())
    const { page, go } = await blankTab()
    for (const { id, title, payload } of examples) {
      await go(`/w/${acme.workspaceId}/examples/${id}`)
      await page.getByRole('heading', { name: title, level: 1 }).waitFor()
      await page.getByText('This payload is valid.').waitFor()
      const preview = page.getByRole('region', { name: 'Preview' })
      await preview.getByText(payload.task.description).waitFor()
      expect(await preview.getByText(/shown as it is|cannot be/).count(), id).toBe(0)
      await page.getByRole('button', { name: 'Send to my inbox' }).click()
      await page.getByRole('link', { name: 'Open in inbox' }).press('Enter')
      await page.getByRole('heading', { name: payload.task.name, level: 1 }).waitFor()
      const taskId = /tsk_\w+/.exec(page.url())![0]
      await page.getByRole('button', { name: payload.actions[0]!.title }).first().waitFor()
      await waitUntilAnswerable(page)
      for (const key of keys[id]!) {
        await press(page, key)
        if (key === 'i') await page.locator('[data-editor] textarea:focus').waitFor()
        // A form takes the focus when it has loaded.
        const action = /^Alt/.test(key) ? payload.actions[Number(key.at(-1)) - 1] : undefined
        if (action?.schema) await page.locator('.answer-form-answer :is(input, textarea):focus').waitFor()
      }
      await expect
        .poll(async () => (await acme.owner.get(`/tasks/${taskId}`)).body.status, { message: id })
        .toBe('handled')
    }
  })

  test('an invalid payload is explained and cannot be sent', async () => {
    const { page } = await visit(`/w/${acme.workspaceId}/examples/free-question`)
    const editor = page.getByLabel('Payload (editable)')
    await editor.fill(JSON.stringify({ task: { name: 'n', description: 'd' }, actions: [] }))
    await page.getByText('This payload is invalid').waitFor()
    await page.getByText('actions', { exact: true }).waitFor()
    const before = (await acme.owner.get('/tasks?limit=1')).body.tasks[0]?.taskId
    await page.getByRole('button', { name: 'Send to my inbox' }).click({ force: true })
    expect((await acme.owner.get('/tasks?limit=1')).body.tasks[0]?.taskId).toBe(before)
    await page.getByRole('button', { name: 'Reset' }).click()
    await page.getByText('This payload is valid.').waitFor()
  })

  test('after an edited payload was sent, Reset makes the original sendable again', async () => {
    const { page } = await visit(`/w/${acme.workspaceId}/examples/free-question`)
    const editor = page.getByLabel('Payload (editable)')
    const original = await editor.inputValue()
    await editor.fill(original.replace('"name": "', '"name": "Edited: '))
    await page.getByRole('button', { name: 'Send to my inbox' }).click()
    await page.getByRole('link', { name: 'Open in inbox' }).waitFor()
    expect((await acme.owner.get('/tasks?limit=1')).body.tasks[0].name).toMatch(/^Edited: /)
    await page.getByRole('button', { name: 'Reset' }).click()
    await page.getByRole('button', { name: 'Send to my inbox' }).click()
    await page.getByRole('link', { name: 'Open in inbox' }).waitFor()
    expect((await acme.owner.get('/tasks?limit=1')).body.tasks[0].name).not.toMatch(/^Edited: /)
  })

  test('on a phone, the skip link leads to the list of examples', async () => {
    const { page, go } = await blankTab()
    await page.setViewportSize({ width: 390, height: 844 })
    await go(`/w/${acme.workspaceId}/examples`)
    const skip = page.getByRole('link', { name: 'Skip to examples' })
    await skip.focus()
    await skip.press('Enter')
    expect(await page.evaluate(() => document.activeElement?.id)).toBe('examples')
    expect(await page.locator('main').getByRole('link').count()).toBe(examples.length)
  })

  test('the pages of examples, connect and notifications are accessible, light and dark', async () => {
    const { page, go } = await blankTab()
    for (const path of [
      'examples/compare-answers',
      'examples/deploy-approval',
      'settings/connect',
      'settings/notifications',
    ]) {
      await go(`/w/${acme.workspaceId}/${path}`)
      await page.getByRole('heading', { level: 1 }).waitFor()
      await expect.poll(() => page.locator('.skeleton').count()).toBe(0)
      await expectAccessibleLayout(page)
    }
  })
})
