import type { Page } from 'playwright-core'
import { beforeEach, describe, expect, test } from 'vitest'
import { answerable } from '../../support/answerable.ts'
import { axeFindings } from '../../support/browser.ts'
import { taskPayload } from '../../support/service.ts'
import { visitedService } from '../../support/visited-service.ts'

describe('an answer can be taken back for a few seconds', () => {
  const { acme, visit } = visitedService()
  let page: Page
  let ids: string[] = []
  beforeEach(async () => {
    for (const id of ids) await acme.agent.post(`/tasks/${id}/cancel`)
  })

  /** The first of three tasks is open. */
  async function begin(visitor: { width?: number } = {}) {
    ids = []
    for (const name of ['First', 'Second', 'Third']) {
      ids.push((await acme.agent.post('/tasks', taskPayload({}, { name }))).body.taskId)
    }
    page = (await visit(`/w/${acme.workspaceId}/inbox`, { undoSeconds: 5, ...visitor })).page
    await page.getByRole('option', { name: /First/ }).click()
    await taskIs('First')
  }

  const press = (key: string) => page.keyboard.press(key)
  async function taskIs(name: string) {
    await page.getByRole('heading', { level: 1, name }).waitFor()
    await answerable(page)
  }
  const undo = () => page.getByRole('button', { name: 'Undo' })
  const statusOf = async (n: number) => (await acme.agent.get(`/tasks/${ids[n]}`)).body.status
  const namesInList = () => page.getByRole('option').locator('.name').allInnerTexts()

  async function decline(reason: string) {
    await press('Alt+2')
    await page.getByLabel('Why?').fill(reason)
    await press('Control+Enter')
  }

  test('Z brings the task back, open, with what was typed, and nothing has been sent', async () => {
    await begin()
    await decline('Too late')
    await taskIs('Second')
    await page.getByText('Sending “Decline”').waitFor()
    await undo().waitFor()
    expect(await namesInList()).toEqual(['Second', 'Third'])
    expect(await axeFindings(page)).toEqual([])
    await press('z')
    await taskIs('First')
    expect(await page.getByLabel('Why?').inputValue()).toBe('Too late')
    expect(await page.getByRole('button', { name: 'Decline', pressed: true }).count()).toBe(1)
    expect(await undo().count()).toBe(0)
    expect(await namesInList()).toEqual(['First', 'Second', 'Third'])
    expect(await statusOf(0)).toBe('open')

    await press('Control+Enter')
    await page.getByRole('button', { name: 'Send now' }).click()
    await expect.poll(() => statusOf(0)).toBe('handled')
    expect(await undo().count()).toBe(0)
  })

  test('an action without a form is one key; left alone, it is sent when the time is up', async () => {
    await begin()
    await press('Alt+1')
    await taskIs('Second')
    await undo().waitFor()
    expect(await statusOf(0)).toBe('open')
    await expect.poll(() => statusOf(0)).toBe('handled')
    await undo().waitFor({ state: 'detached' })
    await page.getByText('Sending “Approve”').waitFor({ state: 'detached' })
  })

  test('a rejection comes back with its words', async () => {
    await begin()
    await press('r')
    await page.keyboard.type('Say which invoice')
    await press('Control+Enter')
    await taskIs('Second')
    await undo().click()
    const dialog = page.getByRole('dialog', { name: 'Reject this request' })
    expect(await dialog.getByLabel('Why?').inputValue()).toBe('Say which invoice')
    await answerable(page)
    await press('Control+Enter')
    await taskIs('Second')
    // It is a reason to choose from now on.
    await press('r')
    await dialog.getByRole('button', { name: 'Say which invoice' }).waitFor()
  })

  test('leaving the page sends it at once', async () => {
    await begin()
    await decline('Too late')
    await taskIs('Second')
    await page.goto('about:blank')
    await expect.poll(() => statusOf(0)).toBe('handled')
    expect((await acme.agent.get(`/tasks/${ids[0]}`)).body.handled.data).toEqual({ reason: 'Too late' })
  })

  test('the next answer sends the one before it, and only that one can be taken back', async () => {
    await begin()
    await press('e')
    await taskIs('Second')
    await press('e')
    await taskIs('Third')
    await expect.poll(() => statusOf(0)).toBe('handled')
    expect(await statusOf(1)).toBe('open')
    await press('Control+z')
    await taskIs('Second')
    expect(await namesInList()).toEqual(['Second', 'Third'])
  })

  test('when it is refused, the task is back with its draft, and the page says why', async () => {
    await begin()
    await page.route('**/handle', (route) =>
      route.fulfill({
        status: 503,
        contentType: 'application/problem+json',
        body: JSON.stringify({
          type: 'about:blank',
          title: 'Unavailable',
          status: 503,
          code: 'unavailable',
          detail: 'The database is away.',
          requestId: 'req_1',
        }),
      }),
    )
    await decline('Too late')
    await taskIs('Second')
    await page.getByRole('button', { name: 'Send now' }).click()
    const told = page.getByRole('alert').filter({ hasText: '“Decline” was not sent. The database is away.' })
    await told.waitFor()
    expect(await namesInList()).toEqual(['First', 'Second', 'Third'])
    await told.getByRole('button', { name: 'Open' }).click()
    await taskIs('First')
    await page.getByText('Not sent. The database is away.').waitFor()
    expect(await page.getByLabel('Why?').inputValue()).toBe('Too late')
    await page.unroute('**/handle')
    await press('Control+Enter')
    await page.getByRole('button', { name: 'Send now' }).click()
    await expect.poll(() => statusOf(0)).toBe('handled')
  })

  test('what is too large to outlive the page goes at once', async () => {
    await begin()
    await decline('x'.repeat(50 * 1024))
    await taskIs('Second')
    await expect.poll(() => statusOf(0)).toBe('handled')
    expect(await undo().count()).toBe(0)
  })

  test('whoever sends and stays sees the answer where the form was', async () => {
    await begin()
    await press('Alt+2')
    await page.getByLabel('Why?').fill('Too late')
    await press('Control+Shift+Enter')
    await undo().waitFor()
    expect(await page.getByLabel('Why?').isDisabled()).toBe(true)
    await page.getByRole('button', { name: 'Send now' }).click()
    const answer = page.getByRole('complementary', { name: 'Answer', exact: true })
    await answer.getByText('Too late').waitFor()
    await answer.getByText('The agent asks for the answer itself.').waitFor()
    await page.getByRole('heading', { level: 1, name: 'First' }).waitFor()
  })

  test('on a phone it is within reach beside the next task', async () => {
    await begin({ width: 390 })
    await page.getByRole('button', { name: 'More actions' }).click()
    await page.getByRole('menuitem', { name: 'Mark done' }).click()
    await taskIs('Second')
    const box = await undo().boundingBox()
    const dock = await page.getByRole('complementary', { name: 'Your answer' }).boundingBox()
    expect(box!.y + box!.height).toBeLessThanOrEqual(dock!.y)
    await undo().click()
    await taskIs('First')
  })
})
