import { type Browser, chromium, type Page } from 'playwright-core'
import type { BenchService } from './service.ts'
import type { BenchWorkspace } from './workspace.ts'

/** Runs `work` with a Chromium that has an empty profile. scripts/bench.mjs sets CHROMIUM_PATH. */
export async function withBrowser<T>(work: (browser: Browser) => Promise<T>): Promise<T> {
  const browser = await chromium.launch({
    executablePath: process.env.CHROMIUM_PATH!,
    args: [
      '--headless',
      '--no-sandbox',
      '--disable-gpu',
      '--disable-background-networking',
      '--disable-sync',
    ],
  })
  try {
    return await work(browser)
  } finally {
    await browser.close()
  }
}

/** Opens a page in a new browser context, signed in as the owner of the workspace. */
export async function openPage(
  browser: Browser,
  { url }: BenchService,
  { owner }: BenchWorkspace,
): Promise<Page> {
  const context = await browser.newContext({ viewport: { width: 1280, height: 800 } })
  const cookies = owner.cookie.split('; ').map((pair) => {
    const end = pair.indexOf('=')
    return { name: pair.slice(0, end), value: pair.slice(end + 1), url }
  })
  await context.addCookies(cookies)
  return await context.newPage()
}
