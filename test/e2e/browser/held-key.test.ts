import type { Page } from 'playwright-core'
import { describe, expect, test } from 'vitest'
import { markDone, sendAnswer } from '../../support/browser-actions.ts'
import { setUpBrowserTests } from '../../support/browser-tests.ts'
import { taskPayload } from '../../support/service.ts'

describe('a held key steps through the list', () => {
  const { acme, visit } = setUpBrowserTests({ freshWorkspace: true })

  async function openInbox(count: number) {
    const ids: string[] = []
    for (let n = 0; n < count; n++) {
      ids.push((await acme.agent.post('/tasks', taskPayload({}, { name: `Task ${n}` }))).body.taskId)
    }
    const { page } = await visit(`/w/${acme.workspaceId}/inbox`)
    await expect.poll(() => page.getByRole('option').count()).toBe(count)
    return { page, ids }
  }

  /** Presses keys without waiting for the page, and holds them. A key that is already down repeats. */
  async function holdAtOnce(page: Page, ...keys: string[]) {
    await Promise.all(keys.map((key) => page.keyboard.down(key)))
    await Promise.all([...new Set(keys)].map((key) => page.keyboard.up(key)))
  }
  const times = (count: number, key: string) => Array.from({ length: count }, () => key)
  const taskIs = (page: Page, name: string) =>
    page.getByRole('heading', { level: 1, name, exact: true }).waitFor()

  async function answers(): Promise<Record<string, string>> {
    const { body } = await acme.agent.get('/tasks?status=handled')
    return Object.fromEntries(
      body.tasks.map((task: { name: string; handled: { actionId: string } }) => [
        task.name,
        task.handled.actionId,
      ]),
    )
  }

  test('and stops at the last task, which is shown, selected and in the URL; those in between are not opened', async () => {
    const { page, ids } = await openInbox(9)
    const opened = new Set<string>()
    page.on('request', (request) => {
      const id = /tasks\/(tsk_\w+)\/drafts$/.exec(request.url())?.[1]
      if (id) opened.add(id)
    })
    await page.keyboard.press('j')
    await taskIs(page, 'Task 0')
    await holdAtOnce(page, ...times(8, 'j'))
    await taskIs(page, 'Task 8')
    const selected = page.getByRole('option', { selected: true }).locator('.rows-name')
    await expect.poll(() => selected.innerText()).toBe('Task 8')
    await expect.poll(() => page.url()).toMatch(new RegExp(`/inbox/${ids[8]}$`))
    // A slow machine may open some of them between two keys.
    expect(opened.size).toBeLessThan(9)
    await expect
      .poll(async () => (await page.locator('.rows-row:not(.rows-seen)').count()) + opened.size)
      .toBe(9)

    await holdAtOnce(page, ...times(5, 'k'))
    await taskIs(page, 'Task 3')
    // Forward and back: nothing to open, and the task is shown again.
    await holdAtOnce(page, 'j', 'k', 'j', 'k')
    await taskIs(page, 'Task 3')
    await page.getByRole('button', { name: 'Mark done' }).waitFor()
    await page.goBack()
    await page.getByRole('heading', { name: 'Most urgent' }).waitFor()
  })

  test('an answering key is rejected with a message until the task has been in view', async () => {
    const { page } = await openInbox(7)
    // Visited tasks are cached and shown immediately.
    for (let n = 0; n < 7; n++) {
      await page.keyboard.press('j')
      await taskIs(page, `Task ${n}`)
    }
    await holdAtOnce(page, ...times(6, 'k'))
    await taskIs(page, 'Task 0')

    await holdAtOnce(page, 'j', 'e')
    await taskIs(page, 'Task 1')
    await page.getByText('The task had only just appeared or changed, so nothing was sent.').waitFor()
    await markDone(page)
    await taskIs(page, 'Task 2')
    // Opening the reject dialog sends no answer.
    await holdAtOnce(page, 'k', 'j', 'j', 'r')
    const dialog = page.getByRole('dialog', { name: 'Reject task' })
    await dialog.waitFor()
    await page.keyboard.type('Not ours')
    await sendAnswer(page)
    await taskIs(page, 'Task 4')
    await holdAtOnce(page, 'j', 'Alt', '1')
    await page.getByRole('button', { name: 'Approve', pressed: true }).waitFor()
    await sendAnswer(page)
    await taskIs(page, 'Task 6')
    await expect.poll(answers).toEqual({
      'Task 1': 'service:mark-done',
      'Task 3': 'service:reject-request',
      'Task 5': 'approve',
    })
  })

  test('an answering key has no effect while the selected task is loading, and the page says so', async () => {
    const { page } = await openInbox(4)
    await page.keyboard.press('j')
    await taskIs(page, 'Task 0')
    let release = () => {}
    const held = new Promise<void>((resolve) => {
      release = resolve
    })
    await page.route(/\/api\/v1\/tasks\/tsk_\w+\?/, async (route) => {
      await held
      await route.continue()
    })
    await holdAtOnce(page, ...times(3, 'j'), 'e')
    const loading = page.getByRole('status', { name: 'Loading task' })
    await loading.getByText('The task is still loading. Nothing was sent.').waitFor()
    release()
    await taskIs(page, 'Task 3')
    await page.getByRole('button', { name: 'Mark done' }).waitFor()
    expect(await answers()).toEqual({})
    expect(await page.getByRole('option').count()).toBe(4)
  })
})
