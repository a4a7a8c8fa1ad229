import type { Page } from 'playwright-core'
import { describe, expect, test } from 'vitest'
import type { Example } from '../../../src/contract/gallery/example.ts'
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
  'four-eyes-payment': ['Alt+1', 'type:1173', 'Control+Enter'],
  'message-labeling': ['Alt+1', 'Space', 'Tab', 'Space', 'Control+Enter'],
}

const { service, acme, visit, blankTab } = setUpBrowserTests()

async function press(page: Page, key: string) {
  if (key.startsWith('type:')) await page.keyboard.type(key.slice(5))
  else await page.keyboard.press(key)
}

async function answerByKeyboard(page: Page, { id, payload }: Example) {
  await page.getByRole('button', { name: payload.actions[0]!.title }).first().waitFor()
  await waitUntilAnswerable(page)
  for (const key of keys[id]!) {
    await press(page, key)
    if (key === 'i') await page.locator('[data-editor] textarea:focus').waitFor()
    // A form takes the focus when it has loaded.
    const action = /^Alt/.test(key) ? payload.actions[Number(key.at(-1)) - 1] : undefined
    if (action?.schema) await page.locator('.answer-form-answer :is(input, textarea):focus').waitFor()
  }
}

describe('the examples', () => {
  test('every example renders without a fallback, can be sent, and is answered by keyboard', async () => {
    expect(Object.keys(keys).sort()).toEqual(examples.map(({ id }) => id).sort())
    const { page } = await visit(`/w/${acme.workspaceId}/inbox`)
    const list = page.getByRole('navigation', { name: 'Examples' })
    const colleagues = [await acme.person(), await acme.person()]
    for (const example of examples) {
      const { id, title, payload } = example
      await page.getByRole('link', { name: 'Examples', exact: true }).click()
      await list
        .getByRole('link')
        .filter({ has: page.getByText(title, { exact: true }) })
        .click()
      await page.getByRole('heading', { name: title, level: 1 }).waitFor()
      await page.getByText('This payload is valid.').waitFor()
      const preview = page.getByRole('region', { name: 'Preview' })
      await preview.getByText(payload.task.description).waitFor()
      expect(await preview.getByText(/shown as it is|cannot be/).count(), id).toBe(0)
      if (payload.acceptsQuestions) await page.getByText('If you ask back, nobody replies').waitFor()
      if (payload.review) await page.getByText("You send this task, so you can't answer it").waitFor()
      await page.getByRole('button', { name: 'Send to the inbox' }).click()
      await page.getByRole('link', { name: 'Open in inbox' }).press('Enter')
      await page.waitForURL(/\/inbox\/tsk_/)
      await page.getByRole('heading', { name: payload.task.name, level: 1 }).waitFor()
      const taskId = /tsk_\w+/.exec(page.url())![0]
      if (!payload.review) await answerByKeyboard(page, example)
      for (const [index, { cookie }] of (payload.review ? colleagues : []).entries()) {
        const theirs = await visit(`/w/${acme.workspaceId}/inbox/${taskId}`, { cookie })
        await answerByKeyboard(theirs.page, example)
        await expect
          .poll(async () => (await acme.owner.get(`/tasks/${taskId}`)).body.review.given, { message: id })
          .toBe(index + 1)
      }
      await expect
        .poll(async () => (await acme.owner.get(`/tasks/${taskId}`)).body.status, { message: id })
        .toBe('handled')
    }
  })

  test('a person alone is told whom an example with a review needs, and can still try it without', async () => {
    const { workspaceId, owner } = await service.workspace()
    const { page } = await visit(`/w/${workspaceId}/examples/four-eyes-payment`, { cookie: owner.cookie })
    await page
      .getByText('2 people other than you must give the same answer. This workspace has 0 other members')
      .waitFor()
    await page.getByRole('button', { name: 'Copy', exact: true }).waitFor()
    const send = page.getByRole('button', { name: 'Send to the inbox' })
    expect(await send.getAttribute('aria-disabled')).toBe('true')
    await expectAccessibleLayout(page)
    const editor = page.getByLabel('Payload (editable)')
    const { review: _, ...plain } = JSON.parse(await editor.inputValue())
    await editor.fill(JSON.stringify(plain))
    await send.click()
    await page.getByRole('link', { name: 'Open in inbox' }).waitFor()
    await page.getByRole('button', { name: 'Reset' }).click()
    await page.getByRole('link', { name: 'Invite colleagues' }).click()
    await page.getByRole('heading', { name: 'Invitations', level: 1 }).waitFor()
  })

  test('an invalid payload is explained and cannot be sent', async () => {
    const { page } = await visit(`/w/${acme.workspaceId}/examples/free-question`)
    const editor = page.getByLabel('Payload (editable)')
    await editor.fill(JSON.stringify({ task: { name: 'n', description: 'd' }, actions: [] }))
    await page.getByText('This payload is invalid').waitFor()
    await page.getByText('actions', { exact: true }).waitFor()
    const before = (await acme.owner.get('/tasks?limit=1')).body.tasks[0]?.taskId
    await page.getByRole('button', { name: 'Send to the inbox' }).click({ force: true })
    expect((await acme.owner.get('/tasks?limit=1')).body.tasks[0]?.taskId).toBe(before)
    await page.getByRole('button', { name: 'Reset' }).click()
    await page.getByText('This payload is valid.').waitFor()
  })

  test('after an edited payload was sent, Reset makes the original sendable again', async () => {
    const { page } = await visit(`/w/${acme.workspaceId}/examples/free-question`)
    const editor = page.getByLabel('Payload (editable)')
    const original = await editor.inputValue()
    await editor.fill(original.replace('"name": "', '"name": "Edited: '))
    await page.getByRole('button', { name: 'Send to the inbox' }).click()
    // It replaces the button that was pressed.
    await page.locator('a:focus', { hasText: 'Open in inbox' }).waitFor()
    const newest = async () => (await acme.owner.get('/tasks?limit=1')).body.tasks[0].name
    await expect.poll(newest).toMatch(/^Edited: /)
    await page.getByRole('button', { name: 'Reset' }).click()
    await page.getByRole('button', { name: 'Send to the inbox' }).click()
    await page.getByRole('link', { name: 'Open in inbox' }).waitFor()
    await expect.poll(newest).not.toMatch(/^Edited: /)
  })

  test('on a phone, the skip link leads to the list of examples', async () => {
    const { page, go } = await blankTab()
    await page.setViewportSize({ width: 390, height: 844 })
    await go(`/w/${acme.workspaceId}/examples`)
    const skip = page.getByRole('link', { name: 'Skip to examples' })
    await skip.focus()
    await skip.press('Enter')
    await expect.poll(() => page.evaluate(() => document.activeElement?.id)).toBe('examples')
    await expect.poll(() => page.locator('main').getByRole('link').count()).toBe(examples.length)
  })

  test('the pages of examples and connect are accessible, light and dark', async () => {
    const { page, go } = await blankTab()
    for (const path of ['examples/compare-answers', 'examples/deploy-approval', 'settings/connect']) {
      await go(`/w/${acme.workspaceId}/${path}`)
      await page.getByRole('heading', { level: 1 }).waitFor()
      await expect.poll(() => page.locator('.skeleton').count()).toBe(0)
      await expectAccessibleLayout(page)
    }
  })
})
