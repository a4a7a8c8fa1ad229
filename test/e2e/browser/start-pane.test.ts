import { describe, expect, test } from 'vitest'
import { axeViolations } from '../../support/browser.ts'
import { createTask, waitForTask } from '../../support/browser-actions.ts'
import { setUpBrowserTests } from '../../support/browser-tests.ts'

describe('the inbox starts with what matters, until a task is opened', () => {
  const { acme, visit } = setUpBrowserTests({ freshWorkspace: true })
  const send = (name: string, more: Record<string, unknown> = {}) => createTask(acme, name, more)

  test('nothing is late: the first tasks of the list, the figures of today, and J opens the first', async () => {
    const mara = await acme.person('member', 'Mara')
    await acme.owner.post(`/tasks/${await send('Mine')}/mark-done`)
    await mara.post(`/tasks/${await send('Hers')}/mark-done`)
    for (const [name, priority] of Object.entries({ a: 'normal', b: 'high', c: 'urgent', d: 'low' }))
      await send(`Task ${name}`, { priority })
    const { page } = await visit(`/w/${acme.workspaceId}/inbox`)
    await page.getByRole('heading', { level: 1, name: 'Nothing is late. 4 to do.', exact: true }).waitFor()
    await page.getByRole('heading', { name: 'Most urgent' }).waitFor()
    const today = page.getByRole('region', { name: 'Overview' })
    await expect
      .poll(() => today.getByRole('link').locator('b').allInnerTexts())
      .toEqual(['Task c', 'Task b', 'Task a'])
    await today.getByText('of 2 in the workspace').waitFor()
    await today.getByText('no deadline passed').waitFor()
    await today.getByText('4 more than answered').waitFor()
    await today.getByRole('img', { name: /^Arrivals and answers per hour/ }).waitFor()
    expect(await axeViolations(page)).toEqual([])

    await page.keyboard.press('j')
    await waitForTask(page, 'Task c')
    await page.goBack()
    await page.getByRole('link', { name: 'Task a' }).press('Enter')
    await waitForTask(page, 'Task a')
  })
})
