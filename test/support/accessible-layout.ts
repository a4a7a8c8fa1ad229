import type { Page } from 'playwright-core'
import { expect } from 'vitest'
import { axeViolations, overflowingElements } from './browser.ts'

export const isPhone = (width: number) => width < 768

/**
 * Expects no axe violations, light and dark, and no horizontal overflow, on phones also in a narrow
 * window.
 */
export async function expectAccessibleLayout(page: Page): Promise<void> {
  await expectAccessibleLayoutInLight(page)
  // The dark theme changes only colours.
  await page.emulateMedia({ colorScheme: 'dark' })
  await page.locator('html.dark').waitFor()
  expect(await axeViolations(page, ['color-contrast'])).toEqual([])
  await page.emulateMedia({ colorScheme: 'light' })
  await page.locator('html:not(.dark)').waitFor()
}

async function expectAccessibleLayoutInLight(page: Page): Promise<void> {
  await page.evaluate(() => document.fonts.ready)
  expect(await axeViolations(page)).toEqual([])
  await expect.poll(() => overflowingElements(page)).toEqual([])
  const size = page.viewportSize()!
  if (!isPhone(size.width)) return
  await page.setViewportSize({ width: 320, height: 640 })
  await expect.poll(() => overflowingElements(page)).toEqual([])
  await page.setViewportSize(size)
}

/**
 * Expects the same in a window of the current size and in one of a phone's size, where only the
 * layout differs: there, not in the dark theme again.
 */
export async function expectAccessibleAlsoOnPhones(page: Page): Promise<void> {
  await expectAccessibleLayout(page)
  const size = page.viewportSize()!
  await page.setViewportSize({ width: 390, height: 844 })
  await expectAccessibleLayoutInLight(page)
  await page.setViewportSize(size)
}
