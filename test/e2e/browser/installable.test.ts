import { describe, expect, test } from 'vitest'
import { setUpBrowserTests, signedOut } from '../../support/browser-tests.ts'
import { launchFullChromium } from '../../support/chromium.ts'

describe('Handrail can be installed like an application', () => {
  const { service, visit } = setUpBrowserTests()

  test('the manifest is valid and nothing prevents installation', async () => {
    const browser = await launchFullChromium()
    const page = await browser.newPage()
    await page.goto(`${service.url}/sign-in`)
    await page.getByRole('heading', { name: 'Sign in' }).waitFor()
    const debug = await page.context().newCDPSession(page)
    const manifest = await debug.send('Page.getAppManifest')
    expect(manifest.url).toBe(`${service.url}/manifest.webmanifest`)
    expect(manifest.errors).toEqual([])
    const { installabilityErrors } = await debug.send('Page.getInstallabilityErrors')
    // Tests use an incognito context, which is the only obstacle.
    expect(installabilityErrors.map(({ errorId }) => errorId)).toEqual(['in-incognito'])
    for (const { src, type } of JSON.parse(manifest.data!).icons) {
      const icon = await page.request.get(new URL(src, manifest.url).href)
      expect([icon.status(), icon.headers()['content-type']]).toEqual([200, type])
    }
    await browser.close()
  })

  test('the window frame has the colour of the page', async () => {
    const { page } = await visit('/sign-in', { ...signedOut, theme: 'dark' })
    await page.locator('html.dark').waitFor()
    const colours = await page.evaluate(() => [
      document.querySelector<HTMLMetaElement>('meta[name=theme-color]')?.content,
      getComputedStyle(document.body).backgroundColor,
    ])
    expect(colours[0]).toBe(colours[1])
  })
})
