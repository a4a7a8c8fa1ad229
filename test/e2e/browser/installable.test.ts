import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startBrowser, type TestBrowser } from '../../support/browser.ts'
import { startService, type TestService } from '../../support/service.ts'
import { noTroubles } from '../../support/troubles.ts'

describe('Handrail can be installed like an application', () => {
  let service: TestService
  let browser: TestBrowser
  beforeAll(async () => {
    service = await startService()
    browser = await startBrowser()
  })
  afterAll(async () => {
    await browser.close()
    await service.stop()
  })

  test('the browser finds a manifest without mistakes and no reason against installing', async () => {
    const { page, go, troubles } = await browser.visit(service.url)
    await go('/sign-in')
    await page.getByRole('heading', { name: 'Sign in' }).waitFor()
    const debug = await page.context().newCDPSession(page)
    const manifest = await debug.send('Page.getAppManifest')
    expect(manifest.url).toBe(`${service.url}/manifest.webmanifest`)
    expect(manifest.errors).toEqual([])
    const { installabilityErrors } = await debug.send('Page.getInstallabilityErrors')
    // A visit of a test is a private one, which alone stands against it.
    expect(installabilityErrors.map(({ errorId }) => errorId)).toEqual(['in-incognito'])
    for (const { src, type } of JSON.parse(manifest.data!).icons) {
      const icon = await page.request.get(new URL(src, manifest.url).href)
      expect([icon.status(), icon.headers()['content-type']]).toEqual([200, type])
    }
    expect(await troubles()).toEqual(noTroubles)
  })

  test('the frame of the window has the colour of the page', async () => {
    const { page, go } = await browser.visit(service.url, { theme: 'dark' })
    await go('/sign-in')
    await page.locator('html.dark').waitFor()
    const colours = await page.evaluate(() => [
      document.querySelector<HTMLMetaElement>('meta[name=theme-color]')?.content,
      getComputedStyle(document.body).backgroundColor,
    ])
    expect(colours[0]).toBe(colours[1])
  })
})
