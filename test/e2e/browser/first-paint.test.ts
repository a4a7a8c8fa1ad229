import type { Page } from 'playwright-core'
import { describe, expect, test } from 'vitest'
import { setUpBrowserTests } from '../../support/browser-tests.ts'
import { taskPayload } from '../../support/service.ts'

const firstPage = '.first-page'

describe('before the script has loaded', () => {
  const { acme, service, blankTab } = setUpBrowserTests()

  test.each([
    ['a desktop', { width: 1280, height: 800 }],
    ['a phone', { width: 390, height: 800 }],
  ])(
    'the inbox is shown on %s without its content, and nothing moves when the app renders',
    async (_, size) => {
      await acme.agent.post('/tasks', taskPayload())
      const { page, go } = await blankTab()
      await page.setViewportSize(size)
      let release = () => {}
      const isReleased = new Promise<void>((resolve) => {
        release = resolve
      })
      await page.route(/\/assets\/index-[^/]+\.js$/, async (route) => {
        await isReleased
        await route.continue()
      })
      const opened = go(`/w/${acme.workspaceId}/inbox`)
      await page.locator(firstPage).waitFor()
      const before = await boxes(page)
      release()
      await opened
      await page.getByRole('option').first().waitFor()
      expect(await page.locator(firstPage).isVisible()).toBe(false)
      expect(before).toEqual(await boxes(page))
      expect(before).toMatchObject({ bar: { height: 48 } })
    },
  )

  test('other pages, and visitors without a session, do not get the inbox', async () => {
    const html = async (path: string, cookie: string) =>
      await (await fetch(`${service.url}${path}`, { headers: { cookie } })).text()
    const inbox = `/w/${acme.workspaceId}/inbox`
    const { cookie } = acme.owner
    expect(await html(inbox, cookie)).toContain('first-page"')
    expect(await html('/', cookie)).toContain('first-page"')
    for (const path of ['/sign-in', `/w/${acme.workspaceId}/settings`, `/w/${acme.workspaceId}/handled`])
      expect(await html(path, cookie)).not.toContain('first-page"')
    expect(await html(inbox, '')).not.toContain('first-page"')
  })
})

/** Where the visible navigation, list and bar are. */
async function boxes(page: Page) {
  const visible = (selector: string) => page.locator(selector).filter({ visible: true }).first().boundingBox()
  return {
    nav: await visible('.nav-nav'),
    list: await visible('.panes-list'),
    bar: await visible('.bar'),
  }
}
