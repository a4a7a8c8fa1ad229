import type { Page } from 'playwright-core'
import { beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { createTask, taskNames } from '../../support/browser-actions.ts'
import { setUpBrowserTests } from '../../support/browser-tests.ts'
import { settledEventCursor } from '../../support/event-cursor.ts'
import type { TestWorkspace } from '../../support/service.ts'
import { waitUntilAnswerable } from '../../support/wait-until-answerable.ts'

describe('the list shows changes by others and never moves on its own', () => {
  const { service, acme, visit, blankTab } = setUpBrowserTests()
  let mara: Awaited<ReturnType<TestWorkspace['person']>>
  beforeAll(async () => {
    mara = await acme.person('member', 'Mara')
  })
  beforeEach(async () => {
    const { body } = await acme.owner.get('/inbox')
    for (const { taskId } of body.rows) await acme.agent.post(`/tasks/${taskId}/cancel`)
    // A page that received these events after it has loaded would count wrongly.
    await settledEventCursor(service.databaseUrl, acme)
  })

  const send = (name: string, more: Record<string, unknown> = {}) => createTask(acme, name, more)

  async function open(path = ''): Promise<Page> {
    const { page } = await visit(`/w/${acme.workspaceId}/inbox${path}`)
    await page.getByRole('option').first().waitFor()
    return page
  }

  test('new tasks are announced by a button and sorted in when it is pressed', async () => {
    await send('First')
    const page = await open()
    await send('Second')
    await send('Pressing', { priority: 'urgent' })
    const pill = page.getByRole('button', { name: '2 new, 1 urgent', exact: true })
    await pill.waitFor()
    expect(await taskNames(page)).toEqual(['First'])
    await page.getByRole('link', { name: 'Inbox 3 open' }).waitFor()
    await pill.click()
    await expect.poll(() => taskNames(page)).toEqual(['Pressing', 'First', 'Second'])
    await pill.waitFor({ state: 'detached' })
  })

  test('an open task shows updates of the agent, the other open tasks of its thread, and that it was cancelled and why', async () => {
    const first = await send('Reply to Ines', { threadId: 'case' })
    const second = await send('Close the case', { threadId: 'case' })
    const sendUpdate = (message: string) =>
      acme.agent.post(`/tasks/${second}/updates`, { message, progress: 50 })
    await sendUpdate('Looking')
    const page = await open(`/${first}`)
    const links = page.getByRole('navigation', { name: 'Other open tasks of this thread' }).getByRole('link')
    await expect.poll(() => links.allInnerTexts()).toEqual(['Close the case'])
    await links.first().press('Enter')
    await page.getByRole('heading', { level: 1, name: 'Close the case' }).waitFor()
    await expect.poll(() => links.allInnerTexts()).toEqual(['Reply to Ines'])

    await page.getByRole('button', { name: /Looking *50 % *1 update$/ }).click()
    const timeline = page.getByRole('list', { name: 'Timeline' }).getByRole('listitem')
    await expect.poll(() => timeline.count()).toBe(3)
    await sendUpdate('Nearly there')
    await page.getByRole('button', { name: /Nearly there *50 % *2 updates/ }).waitFor()
    await expect.poll(() => timeline.last().innerText()).toContain('Nearly there')

    await send('Refund Ines', { threadId: 'case', priority: 'urgent' })
    await expect.poll(() => links.allInnerTexts()).toEqual(['Refund Ines', 'Reply to Ines'])
    await mara.post(`/tasks/${first}/mark-done`)
    await expect.poll(() => links.allInnerTexts()).toEqual(['Refund Ines'])

    await acme.agent.post(`/tasks/${second}/cancel`, { reason: 'Solved by phone' })
    await page.locator('.strip').getByText('This task was cancelled: “Solved by phone”.').waitFor()
    const approve = page.getByRole('button', { name: 'Approve' })
    await expect.poll(() => approve.getAttribute('aria-disabled')).toBe('true')
  })

  test('a row that another person has open says so; one that they answer or the agent cancels disappears, but not under the pointer', async () => {
    const answered = await send('Answered')
    const cancelled = await send('Cancelled')
    const viewed = await send('Stays')
    const page = await open()
    await page.getByRole('option', { name: /Cancelled/ }).hover()
    await mara.post(`/tasks/${viewed}/claim`)
    await page.getByRole('img', { name: 'Mara is viewing this task' }).waitFor()
    await mara.post(`/tasks/${answered}/mark-done`)
    await page.getByText('Mara answered “Mark done”').waitFor()
    await acme.agent.post(`/tasks/${cancelled}/cancel`)
    await page.getByText('This task was cancelled').waitFor()
    expect(await taskNames(page)).toEqual(['Answered', 'Cancelled', 'Stays'])
    await page.getByRole('link', { name: 'Inbox 1 open' }).waitFor()
    await page.mouse.move(1_000, 400)
    await expect.poll(() => taskNames(page)).toEqual(['Stays'])
  })

  test('colleagues see who has a task open; when one answers first, the draft is kept and nothing can be sent', async () => {
    const taskId = await send('Contested')
    const page = await open(`/${taskId}`)
    await expect.poll(async () => (await mara.get('/inbox')).body.rows[0].claim?.name).toBe('Olga Owner')
    await page.getByRole('button', { name: 'Decline' }).click()
    await page.getByLabel('Why?').fill('Half a thought')
    await mara.post(`/tasks/${taskId}/handle`, { actionId: 'approve', data: {} })
    const notice = page.locator('.strip', { hasText: 'Mara answered “Approve”' })
    await notice.getByText('You can copy your draft.').waitFor()
    expect(await page.getByLabel('Why?').inputValue()).toBe('Half a thought')
    const decline = page.getByRole('button', { name: 'Decline' }).last()
    await expect.poll(() => decline.getAttribute('aria-disabled')).toBe('true')
    expect(await notice.getByRole('button', { name: 'Copy draft' }).isEnabled()).toBe(true)
  })

  test('the same applies when the page learns of it only from the rejected request', async () => {
    const taskId = await send('Contested')
    const { page, go } = await blankTab()
    // A stream without events. Requests are not intercepted: the page would load without a cache.
    const withoutEvents = await page.addInitScript(() => {
      Object.assign(globalThis, {
        EventSource: class extends EventTarget {
          close() {}
        },
      })
    })
    await go(`/w/${acme.workspaceId}/inbox/${taskId}`)
    await withoutEvents.dispose()
    await page.getByRole('button', { name: 'Decline' }).click()
    await page.getByLabel('Why?').fill('A whole thought')
    await mara.post(`/tasks/${taskId}/mark-done`)
    await waitUntilAnswerable(page)
    await page.getByRole('button', { name: 'Decline' }).last().click()
    // If the response takes long, the page has already left the task and lists the answer as
    // unsent.
    const unsent = page.getByRole('region', { name: 'Unsent answers' })
    await page
      .getByText(/(mara|member-\S+) answered (“Mark done”|first)/i)
      .first()
      .waitFor()
    if (await unsent.isVisible()) await unsent.getByRole('button', { name: 'Copy answer' }).waitFor()
    else expect(await page.getByLabel('Why?').inputValue()).toBe('A whole thought')
    expect((await acme.agent.get(`/tasks/${taskId}`)).body.handled.actionId).toBe('service:mark-done')
  })
})
