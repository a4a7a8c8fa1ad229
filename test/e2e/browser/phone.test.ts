import type { Page } from 'playwright-core'
import { describe, expect, test } from 'vitest'
import { createTasks, waitForTask } from '../../support/browser-actions.ts'
import { setUpBrowserTests } from '../../support/browser-tests.ts'
import { waitUntilAnswerable } from '../../support/wait-until-answerable.ts'

const fields = ['Street', 'City', 'Country', 'Phone', 'Contact', 'Floor', 'Door', 'Hours', 'Parking', 'Note']
const correct = {
  id: 'correct',
  title: 'Correct it',
  schema: {
    type: 'object',
    properties: Object.fromEntries(fields.map((title) => [title, { type: 'string', title }])),
  },
}
const actions = [
  { id: 'approve', title: 'Approve', description: 'The parcel leaves today.' },
  correct,
  { id: 'decline', title: 'Decline' },
  { id: 'later', title: 'Later' },
]

const dock = (page: Page) => page.getByRole('complementary', { name: 'Your answer' })

describe('on a phone', () => {
  const { acme, visit } = setUpBrowserTests({ freshWorkspace: true })

  async function openFirst(undoSeconds = 600) {
    const ids = await createTasks(acme, ['First', 'Second', 'Third'], { actions })
    const { page } = await visit(`/w/${acme.workspaceId}/inbox/${ids[0]}`, {
      width: 390,
      height: 844,
      undoSeconds,
    })
    await waitForTask(page, 'First')
    const statuses = () =>
      Promise.all(ids.map(async (id) => (await acme.agent.get(`/tasks/${id}`)).body.status))
    const undo = page.getByRole('button', { name: 'Undo', exact: true })
    return { page, ids, statuses, undo }
  }

  test('the bar leads to the next task; every action is a button, and one tap sends it without a form, which can be undone', async () => {
    const { page, statuses, undo } = await openFirst()
    const previous = page.getByRole('button', { name: /^Previous task/ })
    expect(await previous.isDisabled()).toBe(true)
    await page.getByRole('button', { name: /^Next task/ }).click()
    await waitForTask(page, 'Second')
    await page.getByText('2 of 3', { exact: true }).waitFor()
    await previous.click()
    await waitForTask(page, 'First')

    expect(
      await dock(page).getByRole('group', { name: 'Actions' }).getByRole('button').allInnerTexts(),
    ).toEqual(['Approve\nThe parcel leaves today.', 'Correct it…', 'Decline', 'Later'])
    for (const name of ['Approve', 'Correct it…', 'Decline', 'Later', 'Mark done', 'Reject…'])
      expect((await dock(page).getByRole('button', { name }).boundingBox())!.height).toBeGreaterThanOrEqual(
        44,
      )
    // The second tap of a double tap is not for the next task.
    await dock(page).getByRole('button', { name: 'Approve' }).dblclick()
    await waitForTask(page, 'Second')
    await expect.poll(() => undo.count()).toBe(1)
    const { y, height } = (await undo.boundingBox())!
    expect(y + height).toBeLessThanOrEqual((await dock(page).boundingBox())!.y)
    await undo.click()
    await waitForTask(page, 'First')
    expect(await statuses()).toEqual(['open', 'open', 'open'])
    await dock(page).getByRole('button', { name: 'Decline' }).click()
    await waitForTask(page, 'Second')
    await page.getByRole('button', { name: 'Send now' }).click()
    await expect.poll(statuses).toEqual(['handled', 'open', 'open'])
  })

  test('the sheet keeps text and position when it is closed, stays above the keyboard, sends with Ctrl+Enter, and asks before a tap that cannot be undone', async () => {
    const { page, statuses } = await openFirst(0)
    const sheet = page.getByRole('dialog', { name: 'Correct it' })
    const form = sheet.locator('[data-answer-form]')
    await dock(page).getByRole('button', { name: 'Correct it…' }).click()
    await sheet.getByLabel('Note').waitFor()
    expect((await sheet.boundingBox())!.height).toBeLessThanOrEqual(844 * 0.85 + 1)
    await sheet.getByLabel('Note').fill('Ring twice')
    const scrolled = await form.evaluate((box) => box.scrollTop)
    expect(scrolled).toBeGreaterThan(0)
    const before = await sheet.boundingBox()
    await sheet.getByRole('button', { name: 'Close' }).click()
    await sheet.waitFor({ state: 'detached' })
    await dock(page).getByRole('button', { name: 'Correct it… Draft' }).click()
    await expect.poll(() => sheet.getByLabel('Note').inputValue()).toBe('Ring twice')
    await expect.poll(() => form.evaluate((box) => box.scrollTop)).toBe(scrolled)
    await expect.poll(() => sheet.boundingBox()).toEqual(before)

    // There is no on-screen keyboard here: the page only learns that less of it is visible.
    const setVisibleHeight = (height: number) =>
      page.evaluate((visible) => {
        Object.defineProperty(visualViewport, 'height', { get: () => visible, configurable: true })
        visualViewport?.dispatchEvent(new Event('resize'))
      }, height)
    await sheet.getByLabel('Note').focus()
    await setVisibleHeight(444)
    const bottomOf = async () => {
      const { y, height } = (await sheet.boundingBox())!
      return y >= 0 && y + height
    }
    await expect.poll(bottomOf).toBe(444)
    const bottomOfField = async () => {
      const { y, height } = (await sheet.getByLabel('Note').boundingBox())!
      return y + height
    }
    await expect.poll(bottomOfField).toBeLessThan(444)
    await setVisibleHeight(844)
    await expect.poll(() => sheet.boundingBox()).toEqual(before)
    await sheet.getByLabel('Note').press('Control+Enter')
    await waitForTask(page, 'Second')
    await expect.poll(statuses).toEqual(['handled', 'open', 'open'])

    const question = page.getByRole('dialog', { name: 'Approve' })
    await dock(page).getByRole('button', { name: 'Approve' }).click()
    await question.getByText('The parcel leaves today.').waitFor()
    expect(await statuses()).toEqual(['handled', 'open', 'open'])
    await waitUntilAnswerable(page)
    await question.getByRole('button', { name: 'Approve' }).click()
    await waitForTask(page, 'Third')
    await expect.poll(statuses).toEqual(['handled', 'handled', 'open'])
  })

  test('after a task that is far down the list was opened directly, the list starts with its first task', async () => {
    const ids = await createTasks(
      acme,
      Array.from({ length: 30 }, (_, n) => `Parcel ${n}`),
    )
    const { page } = await visit(`/w/${acme.workspaceId}/inbox/${ids.at(-1)}`, { width: 390, height: 844 })
    await waitForTask(page, 'Parcel 29')
    await page.getByRole('button', { name: 'Back to the list' }).click()
    const firstRow = page.getByRole('option').first()
    await firstRow.waitFor()
    const listTop = (await page.getByRole('listbox').boundingBox())!.y
    await expect.poll(async () => (await firstRow.boundingBox())!.y - listTop).toBeLessThan(100)
    expect(await firstRow.getAttribute('aria-posinset')).toBe('1')
  })
})
