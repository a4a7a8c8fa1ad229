import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { fill } from '../../../bench/large-data/fill.ts'
import { noTroubles, startBrowser, type TestBrowser } from '../../support/browser.ts'
import { startService, type TestService, type TestWorkspace } from '../../support/service.ts'

// Of these, half are in the workspace, and seven in a hundred of them are open.
const tasks = 40_000

describe('an inbox of thousands', () => {
  let service: TestService
  let large: TestWorkspace
  let browser: TestBrowser
  beforeAll(async () => {
    service = await startService()
    large = await service.workspace()
    await fill({ databaseUrl: service.databaseUrl, workspaceId: large.workspaceId, tasks })
    browser = await startBrowser()
  })
  afterAll(async () => {
    await browser.close()
    await service.stop()
  })

  async function countByApi(): Promise<number> {
    let count = 0
    let cursor = ''
    do {
      const { body } = await large.owner.get(`/inbox?limit=200${cursor && `&cursor=${cursor}`}`)
      count += body.rows.length
      cursor = body.nextCursor ?? ''
    } while (cursor)
    return count
  }

  const scrollToEnd = (page: Page) =>
    page.getByRole('listbox').evaluate((list) => list.scrollTo({ top: list.scrollHeight }))

  const namesInView = (page: Page) => page.getByRole('option').locator('.name').allInnerTexts()

  test('is read page by page to its end and back, with few rows drawn and none lost', async () => {
    const count = await countByApi()
    expect(count).toBeGreaterThan(2_200)
    const { page, go, troubles } = await browser.visit(service.url, { cookie: large.owner.cookie })
    let pagesReadAgain = 0
    page.on('request', (request) => {
      if (request.url().includes('/inbox?limit=200')) pagesReadAgain++
    })
    await go(`/w/${large.workspaceId}/inbox`)
    await page.getByRole('option').first().waitFor()
    const top = await namesInView(page)

    const last = page.getByRole('option').last()
    const reached = async () => {
      await scrollToEnd(page)
      return Number(await last.getAttribute('aria-posinset'))
    }
    await expect.poll(reached, { timeout: 60_000 }).toBe(count)
    expect(await page.getByRole('option').count()).toBeLessThan(60)

    // By now the first pages are only places.
    await page.getByRole('listbox').evaluate((list) => list.scrollTo({ top: 0 }))
    await expect.poll(() => namesInView(page)).toEqual(top)
    expect(pagesReadAgain).toBeGreaterThan(0)
    await page.keyboard.press('j')
    await page.getByRole('heading', { level: 1, name: top[0]! }).waitFor()
    expect(await troubles()).toEqual(noTroubles)
  })
})
