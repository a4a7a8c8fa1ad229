import type { Page } from 'playwright-core'
import { describe, expect, test } from 'vitest'
import type { Visitor } from '../../support/browser.ts'
import { createTask, waitForTask } from '../../support/browser-actions.ts'
import { setUpBrowserTests } from '../../support/browser-tests.ts'

const choice = (title: string, ...values: string[]) => ({ type: 'string', title, enum: values })

const review = {
  id: 'review',
  title: 'Review it',
  schema: {
    type: 'object',
    required: ['verdict', 'amount'],
    properties: {
      verdict: choice('Verdict', 'Good', 'Bad'),
      amount: { type: 'number', title: 'Amount' },
      faults: {
        type: 'array',
        title: 'Faults',
        uniqueItems: true,
        items: { type: 'string', enum: ['Late', 'Broken', 'Wrong size'] },
      },
      urgent: { type: 'boolean', title: 'Urgent' },
      order: {
        type: 'array',
        title: 'Order of the offers',
        items: { type: 'string' },
        default: ['Atlas', 'Birch', 'Cedar'],
      },
      note: { type: 'string', title: 'Note' },
    },
  },
  ui: {
    faults: { 'ui:widget': 'checkboxes' },
    urgent: { 'ui:widget': 'checkbox' },
    order: { 'ui:options': { addable: false, removable: false } },
    note: { 'ui:widget': 'textarea' },
  },
}

const dock = (page: Page) => page.getByRole('complementary', { name: 'Your answer' })

describe('the dock', () => {
  const { acme, visit } = setUpBrowserTests({ freshWorkspace: true })

  async function openTask(more: Record<string, unknown>, visitor?: Visitor) {
    const taskId = await createTask(acme, 'Open', more)
    const { page } = await visit(`/w/${acme.workspaceId}/inbox/${taskId}`, visitor)
    await waitForTask(page, 'Open')
    const answered: string[] = []
    page.on('request', (request) => {
      if (/\/(handle|mark-done|reject)$/.test(request.url())) answered.push(request.url())
    })
    const handled = async () => (await acme.agent.get(`/tasks/${taskId}`)).body.handled
    return { page, taskId, handled, answered }
  }

  test('digits run on over radio, checkbox and ranking rows; errors are one line next to the button', async () => {
    const { page, handled, answered } = await openTask({ actions: [review] })
    const press = (key: string) => page.keyboard.press(key)
    const radio = (name: string) => page.getByRole('radio', { name })
    await radio('Good').waitFor()
    const digits = dock(page).locator('[data-option]')
    await expect
      .poll(() => digits.evaluateAll((rows) => rows.map((row) => row.getAttribute('data-digit'))))
      .toEqual(['1', '2', '3', '4', '5', '6', '7', '8', '9'])
    for (const digit of ['4', '5', '6', '9']) await press(digit)
    const checked = () => dock(page).getByRole('checkbox', { checked: true }).count()
    await expect.poll(checked).toBe(3)
    // In a text field, a digit is text.
    await page.getByLabel('Note').focus()
    await page.keyboard.type('1 of 3')
    expect(await radio('Good').isChecked()).toBe(false)

    await press('Control+Enter')
    const line = dock(page).getByRole('button', { name: '2 fields need your attention: Verdict' })
    await line.waitFor()
    const isFocused = () => radio('Good').evaluate((field) => field === document.activeElement)
    await expect.poll(isFocused).toBe(true)
    const primary = dock(page).locator('.submit-row-submit .primary').first()
    const [atLine, atButton] = await Promise.all([line.boundingBox(), primary.boundingBox()])
    expect(Math.abs(atLine!.y + atLine!.height / 2 - atButton!.y - atButton!.height / 2)).toBeLessThan(4)
    await page.getByLabel('Note').focus()
    await line.press('Enter')
    await expect.poll(isFocused).toBe(true)
    await press('2')
    await expect.poll(() => radio('Bad').isChecked()).toBe(true)
    await dock(page).getByRole('button', { name: '1 field needs your attention: Amount' }).press('Enter')
    await page.keyboard.type('15')
    await expect.poll(() => dock(page).getByRole('alert').count()).toBe(0)
    expect(answered).toEqual([])
    await press('Control+Enter')
    await expect
      .poll(async () => (await handled())?.data)
      .toEqual({
        verdict: 'Bad',
        amount: 15,
        faults: ['Broken', 'Wrong size'],
        urgent: true,
        order: ['Atlas', 'Cedar', 'Birch'],
        note: '1 of 3',
      })
  })

  const longContext = { context: { data: { log: 'A line of the log.\n'.repeat(200) } } }
  const boxOf = async (page: Page) => (await dock(page).boundingBox())!
  const heightOf = async (page: Page) => Math.round((await boxOf(page)).height)

  test('the form grows into the space that a short context leaves, and makes room for a strip that appears later', async () => {
    const { page, taskId } = await openTask({ actions: [review] })
    await page.getByLabel('Note').waitFor()
    await expect.poll(() => heightOf(page)).toBeGreaterThan(450)
    const end = await page.getByText("That's everything the agent sent.").boundingBox()
    expect(end!.y + end!.height).toBeLessThanOrEqual((await boxOf(page)).y)
    const hidden = () => page.locator('#task-content').evaluate((box) => box.scrollHeight - box.clientHeight)
    await expect.poll(hidden).toBe(0)
    const before = await heightOf(page)
    await acme.agent.post(`/tasks/${taskId}/cancel`, { reason: 'Sent twice' })
    await page.locator('#task').getByText('This task was cancelled: “Sent twice”.').waitFor()
    await expect.poll(() => heightOf(page)).toBeLessThan(before)
    await expect.poll(hidden).toBe(0)
  })

  test('. folds the dock to a line with the draft in words; it unfolds for an invalid field', async () => {
    const { page, handled } = await openTask({ ...longContext, actions: [review] })
    const press = (key: string) => page.keyboard.press(key)
    const amount = page.getByLabel('Amount')
    await amount.waitFor()
    await press('2')
    await press('Escape')
    await press('.')
    await dock(page).getByText('Review it · Bad').waitFor()
    expect(await heightOf(page)).toBeLessThanOrEqual(49)
    expect(await amount.isVisible()).toBe(false)
    await press('Control+Enter')
    await expect.poll(() => amount.evaluate((field) => field === document.activeElement)).toBe(true)
    await page.keyboard.type('1.5')
    await press('Escape')
    await press('.')
    await dock(page).getByText('Review it · Bad, 1.5').waitFor()
    // The correction is checked a moment after the last key, which leaves the dock folded.
    await expect.poll(() => dock(page).getByRole('alert').count()).toBe(0)
    await dock(page).getByText('Review it · Bad, 1.5').waitFor()
    // A digit shows the form that it changes.
    await press('1')
    await expect.poll(() => page.getByRole('radio', { name: 'Good' }).isVisible()).toBe(true)
    await press('.')
    await dock(page).getByText('Review it · Good, 1.5').waitFor()
    await press('Control+Enter')
    await expect.poll(async () => (await handled())?.data).toMatchObject({ verdict: 'Good', amount: 1.5 })
  })

  test('a long form is beside the context if there is room, otherwise below it; the place and the height that a person chooses are kept', async () => {
    const wide = { width: 1440, height: 900 }
    const narrow = { width: 1280, height: 800 }
    const { page } = await openTask({ ...longContext, actions: [review] }, wide)
    const isBeside = async () => (await boxOf(page)).x > 1_000
    const list = () => page.locator('#inbox').boundingBox()
    await page.getByLabel('Note').waitFor()
    await expect.poll(isBeside).toBe(true)
    const before = await list()
    await page.getByRole('button', { name: 'Show your answer below the task' }).press('Enter')
    await expect.poll(isBeside).toBe(false)
    expect(await list()).toEqual(before)

    await page.setViewportSize(narrow)
    await expect.poll(() => heightOf(page)).toBe(360)
    const grip = dock(page).getByRole('separator', { name: 'Height of your answer' })
    await expect.poll(() => grip.getAttribute('aria-valuenow')).toBe('45')
    for (const _ of [1, 2, 3]) await grip.press('ArrowUp')
    await expect.poll(() => heightOf(page)).toBe(432)
    await expect.poll(() => grip.getAttribute('aria-valuenow')).toBe('54')
    const { x, y, width } = (await grip.boundingBox())!
    await page.mouse.move(x + width / 2, y + 12)
    await page.mouse.down()
    await page.mouse.move(x + width / 2, y + 112, { steps: 4 })
    await page.mouse.up()
    await expect.poll(() => heightOf(page)).toBe(332)
    await page.reload()
    await page.getByLabel('Note').waitFor()
    await expect.poll(() => heightOf(page)).toBe(332)
    await grip.dblclick()
    await expect.poll(() => heightOf(page)).toBe(360)

    await page.setViewportSize(wide)
    const showBeside = page.getByRole('button', { name: 'Show your answer beside the task' })
    await showBeside.waitFor()
    expect(await isBeside()).toBe(false)
    await showBeside.press('Enter')
    await expect.poll(isBeside).toBe(true)
    await page.setViewportSize(narrow)
    await expect.poll(isBeside).toBe(false)
    await expect.poll(() => page.getByRole('button', { name: /Show your answer/ }).count()).toBe(0)
  })

  test('texts that a person repeats are offered, on every device', async () => {
    const answer = async (path: string, body: object) => {
      const taskId = await createTask(acme, 'Answered')
      expect((await acme.owner.post(`/tasks/${taskId}/${path}`, body)).status).toBe(200)
    }
    for (const _ of [1, 2])
      await answer('handle', { actionId: 'decline', data: { reason: 'Outside the window' } })
    await answer('reject', { feedback: 'Wrong customer.' })
    // This browser has not been used before.
    const { page } = await openTask({})
    const press = (key: string) => page.keyboard.press(key)
    const snippets = page.getByRole('group', { name: 'Texts to insert' }).getByRole('button')
    await press('Alt+2')
    await page.getByLabel('Why?').waitFor()
    await expect.poll(() => snippets.allInnerTexts()).toEqual(['Outside the window'])
    await snippets.first().press('Enter')
    await expect.poll(() => page.getByLabel('Why?').inputValue()).toBe('Outside the window')
    await press('Escape')
    await press('r')
    await expect.poll(() => snippets.first().innerText()).toBe('Wrong customer.')
    await snippets.first().press('Enter')
    const dialog = page.getByRole('dialog', { name: 'Reject task' })
    await expect.poll(() => dialog.getByLabel('Why?').inputValue()).toBe('Wrong customer. ')
  })
})
