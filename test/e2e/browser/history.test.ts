import type { Page } from 'playwright-core'
import { beforeAll, describe, expect, test } from 'vitest'
import { axeFindings } from '../../support/browser.ts'
import { taskPayload } from '../../support/service.ts'
import { visitedService } from '../../support/visited-service.ts'

describe('what was handled can be read again', () => {
  const { acme, visit } = visitedService()
  beforeAll(async () => {
    const mara = await acme.person('member', 'Mara')
    const send = async (name: string, app = 'shop') =>
      (await acme.agent.post('/tasks', taskPayload({ app }, { name }))).body.taskId as string
    await mara.post(`/tasks/${await send('By Mara')}/reject`, { feedback: 'Not ours' })
    await acme.owner.post(`/tasks/${await send('Declined', 'books')}/handle`, {
      actionId: 'decline',
      data: { reason: 'The parcel is lost' },
    })
    await acme.owner.post(`/tasks/${await send('Approved')}/handle`, { actionId: 'approve' })
    await acme.agent.post(`/tasks/${await send('Withdrawn')}/cancel`, { reason: 'Solved by phone' })
  })

  async function open(path: string): Promise<Page> {
    const { page } = await visit(`/w/${acme.workspaceId}/${path}`)
    return page
  }
  const namesIn = (page: Page) => page.getByRole('option').locator('.name').allInnerTexts()
  const listed = (page: Page, names: string[]) => expect.poll(() => namesIn(page)).toEqual(names)

  test('newest answer first, with what was answered, by keys', async () => {
    const page = await open('handled')
    await listed(page, ['Approved', 'Declined', 'By Mara'])
    await page.keyboard.press('j')
    await page.keyboard.press('j')
    await page.getByRole('heading', { level: 1, name: 'Declined' }).waitFor()
    await page.getByRole('complementary', { name: 'Answer' }).getByText('The parcel is lost').waitFor()
    expect(await page.getByRole('button', { name: 'Approve' }).count()).toBe(0)
    expect(await axeFindings(page)).toEqual([])
  })

  test('by filters, by words, and Back', async () => {
    const page = await open('handled?app=shop')
    await listed(page, ['Approved', 'By Mara'])
    await page.keyboard.press('f')
    await page.getByRole('menuitemradio', { name: 'service:reject-request' }).press('Enter')
    await listed(page, ['By Mara'])
    await page.goBack()
    await listed(page, ['Approved', 'By Mara'])
    await page.getByRole('button', { name: 'Clear', exact: true }).click()
    await page.keyboard.press('/')
    await page.keyboard.type('declined')
    await listed(page, ['Declined'])
    await page.keyboard.press('Escape')
    await page.keyboard.press('f')
    await page.getByRole('menuitemradio', { name: 'Cancelled' }).press('Enter')
    await listed(page, ['Withdrawn'])
  })

  test('my answers today are one press away, also from an empty inbox that tells how many they are', async () => {
    const page = await open('inbox')
    await page.getByText('3 answered today, 2 by you. Median wait under 1 min.').waitFor()
    await page.getByRole('link', { name: 'My answers today' }).click()
    await listed(page, ['Approved', 'Declined'])
    expect(await page.getByRole('button', { name: 'My answers today', pressed: true }).count()).toBe(1)
    await page.getByRole('button', { name: 'My answers today' }).click()
    await listed(page, ['Approved', 'Declined', 'By Mara'])
  })
})
