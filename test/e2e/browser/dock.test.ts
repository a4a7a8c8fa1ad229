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

  test('digits run on over radio, checkbox and ranking rows, need no focus and send nothing', async () => {
    const { page, handled, answered } = await openTask({ actions: [review] })
    const press = (key: string) => page.keyboard.press(key)
    await page.getByRole('radio', { name: 'Good' }).waitFor()
    const digits = dock(page).locator('[data-option]')
    await expect
      .poll(() => digits.evaluateAll((rows) => rows.map((row) => row.getAttribute('data-digit'))))
      .toEqual(['1', '2', '3', '4', '5', '6', '7', '8', '9'])
    for (const digit of ['2', '4', '5', '6', '9']) await press(digit)
    await expect.poll(() => page.getByRole('radio', { name: 'Bad' }).isChecked()).toBe(true)
    const checked = () => dock(page).getByRole('checkbox', { checked: true }).count()
    await expect.poll(checked).toBe(3)
    const order = () =>
      dock(page)
        .locator('[id^=answer_order_]')
        .evaluateAll((fields) =>
          fields.filter((field) => field.matches('input')).map((field) => (field as HTMLInputElement).value),
        )
    await expect.poll(order).toEqual(['Atlas', 'Cedar', 'Birch'])

    // In a text field, a digit is text.
    await page.getByLabel('Amount').focus()
    await page.keyboard.type('15')
    await page.getByLabel('Note').focus()
    await page.keyboard.type('1 of 3')
    expect(await page.getByRole('radio', { name: 'Bad' }).isChecked()).toBe(true)
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

  test('errors are one line next to the button, which leads to the first field', async () => {
    const { page, answered } = await openTask({ actions: [review] })
    await page.getByLabel('Amount').waitFor()
    await page.keyboard.press('Control+Enter')
    const line = dock(page).getByRole('button', { name: '2 fields need you: Verdict' })
    await line.waitFor()
    const good = page.getByRole('radio', { name: 'Good' })
    const isFocused = () => good.evaluate((field) => field === document.activeElement)
    await expect.poll(isFocused).toBe(true)
    const primary = dock(page).locator('.submit-row-submit .primary').first()
    const [atLine, atButton] = await Promise.all([line.boundingBox(), primary.boundingBox()])
    expect(Math.abs(atLine!.y + atLine!.height / 2 - atButton!.y - atButton!.height / 2)).toBeLessThan(4)
    await page.getByLabel('Note').focus()
    await line.press('Enter')
    await expect.poll(isFocused).toBe(true)
    await page.keyboard.press('1')
    await dock(page).getByRole('button', { name: '1 field needs you: Amount' }).press('Enter')
    await page.keyboard.type('3')
    await expect.poll(() => dock(page).getByRole('alert').count()).toBe(0)
    expect(answered).toEqual([])
  })
})
