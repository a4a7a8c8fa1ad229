import type { Page } from 'playwright-core'
import { describe, expect, test } from 'vitest'
import type { Example } from '../../../src/contract/gallery/example.ts'
import { examples } from '../../../src/contract/gallery/examples.ts'
import { freeQuestion } from '../../../src/contract/gallery/free-question.ts'
import { expectAccessibleLayout } from '../../support/accessible-layout.ts'
import { waitForTask } from '../../support/browser-actions.ts'
import { setUpBrowserTests } from '../../support/browser-tests.ts'

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
  await waitForTask(page, payload.task.name)
  for (const key of keys[id]!) {
    await press(page, key)
    if (key === 'i') await page.locator('[data-editor] textarea:focus').waitFor()
    // A form takes the focus when it has loaded.
    const action = /^Alt/.test(key) ? payload.actions[Number(key.at(-1)) - 1] : undefined
    if (action?.schema) await page.locator('.answer-form-answer :is(input, textarea):focus').waitFor()
  }
}

describe('the examples', () => {
  test('every example is answered by keyboard', async () => {
    expect(Object.keys(keys).sort()).toEqual(examples.map(({ id }) => id).sort())
    // The owner sends them, so that a review excludes the owner.
    const colleagues = [await acme.person(), await acme.person()]
    const send = async (example: Example) =>
      (await acme.owner.post('/tasks', example.payload)).body.taskId as string
    const recordOf = async (taskId: string) => (await acme.owner.get(`/tasks/${taskId}`)).body
    const { page, go } = await blankTab(colleagues[0])
    const inbox = `/w/${acme.workspaceId}/inbox`

    // After each answer, the next task opens by itself.
    const alone = new Map<string, Example>()
    for (const example of examples.filter(({ payload }) => !payload.review))
      alone.set(await send(example), example)
    await go(`${inbox}/${[...alone.keys()][0]}`)
    while (alone.size > 0) {
      await page.waitForURL(({ pathname }) => alone.has(pathname.slice(inbox.length + 1)))
      const taskId = page.url().split('/').at(-1)!
      const example = alone.get(taskId)!
      alone.delete(taskId)
      await answerByKeyboard(page, example)
      await expect.poll(async () => (await recordOf(taskId)).status, { message: example.id }).toBe('handled')
    }

    for (const example of examples.filter(({ payload }) => payload.review)) {
      const taskId = await send(example)
      await go(`${inbox}/${taskId}`)
      await answerByKeyboard(page, example)
      await expect.poll(async () => (await recordOf(taskId)).review.given, { message: example.id }).toBe(1)
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
    await expect.poll(() => page.locator('.skeleton').count()).toBe(0)
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

  test('an invalid payload is explained and cannot be sent; Reset makes the original sendable, also after an edited one was sent, and a link opens its task', async () => {
    const { page } = await visit(`/w/${acme.workspaceId}/examples`)
    await page.getByRole('heading', { name: examples[0]!.title, level: 1 }).waitFor()
    await page.getByRole('navigation', { name: 'Examples' }).getByText(freeQuestion.title).click()
    await page.getByRole('heading', { name: freeQuestion.title, level: 1 }).waitFor()
    const editor = page.getByLabel('Payload (editable)')
    const send = page.getByRole('button', { name: 'Send to the inbox' })
    const reset = page.getByRole('button', { name: 'Reset' })
    const original = await editor.inputValue()
    await editor.fill(JSON.stringify({ task: { name: 'n', description: 'd' }, actions: [] }))
    await page.getByText('This payload is invalid').waitFor()
    await page.getByText('actions', { exact: true }).waitFor()
    const newest = async () => (await acme.owner.get('/tasks?limit=1')).body.tasks[0]
    const before = (await newest())?.taskId
    await send.click({ force: true })
    expect((await newest())?.taskId).toBe(before)
    await reset.click()
    await page.getByText('This payload is valid.').waitFor()

    await editor.fill(original.replace('"name": "', '"name": "Edited: '))
    await send.click()
    // It replaces the button that was pressed.
    await page.locator('a:focus', { hasText: 'Open in inbox' }).waitFor()
    const name = freeQuestion.payload.task.name
    await expect.poll(async () => (await newest()).name).toBe(`Edited: ${name}`)
    await reset.click()
    await send.click()
    await page.getByRole('link', { name: 'Open in inbox' }).waitFor()
    await expect.poll(async () => (await newest()).name).toBe(name)
    await page.getByRole('link', { name: 'Open in inbox' }).press('Enter')
    await page.waitForURL(/\/inbox\/tsk_/)
    await waitForTask(page, name)
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

  test('the page that connects an agent is accessible, light and dark', async () => {
    const { page } = await visit(`/w/${acme.workspaceId}/settings/connect`)
    await page.getByRole('heading', { level: 1 }).waitFor()
    await expect.poll(() => page.locator('.skeleton').count()).toBe(0)
    await expectAccessibleLayout(page)
  })
})
