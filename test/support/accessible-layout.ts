import type axe from 'axe-core'
import type { Page } from 'playwright-core'
import { expect } from 'vitest'
import { axeViolations, overflowingElements } from './browser.ts'

export const isPhone = (width: number) => width < 768

/**
 * Expects no axe violations, light and dark, and no horizontal overflow, on phones also in a narrow
 * window. Leaves the page in the other theme, because switching back would only take time.
 */
export async function expectAccessibleLayout(page: Page): Promise<void> {
  await expectAccessibleLayoutInThisTheme(page)
  // The other theme changes only colours.
  await switchTheme(page)
  expect(await axeViolations(page, { runOnly: ['color-contrast'] })).toEqual([])
}

async function switchTheme(page: Page): Promise<void> {
  const isDark = await page.locator('html').evaluate((html) => html.classList.contains('dark'))
  await page.emulateMedia({ colorScheme: isDark ? 'light' : 'dark' })
  await page.locator(isDark ? 'html:not(.dark)' : 'html.dark').waitFor()
}

/**
 * Expects the same in this theme, except for colours, which take most of the time: for dialogs and
 * pages that have only the elements of others, which are checked with their colours.
 */
export async function expectAccessibleStructure(page: Page): Promise<void> {
  await expectAccessibleLayoutInThisTheme(page, { rules: { 'color-contrast': { enabled: false } } })
}

async function expectAccessibleLayoutInThisTheme(page: Page, options: axe.RunOptions = {}): Promise<void> {
  await page.evaluate(() => document.fonts.ready)
  expect(await axeViolations(page, options)).toEqual([])
  await expect.poll(() => overflowingElements(page)).toEqual([])
  const size = page.viewportSize()!
  if (!isPhone(size.width)) return
  await page.setViewportSize({ width: 320, height: 640 })
  await expect.poll(() => overflowingElements(page)).toEqual([])
  await page.setViewportSize(size)
}

/**
 * Expects the same in a window of the current size, in this theme, and in one of a phone's size, in
 * the other theme: there, only the layout and the colours differ. Leaves the page in the other theme.
 */
export async function expectAccessibleAlsoOnPhones(page: Page): Promise<void> {
  await expectAccessibleLayoutInThisTheme(page)
  const size = page.viewportSize()!
  await page.setViewportSize({ width: 390, height: 844 })
  await switchTheme(page)
  await expectAccessibleLayoutInThisTheme(page)
  await page.setViewportSize(size)
}
