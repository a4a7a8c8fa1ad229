import type { Page } from 'playwright-core'
import { expect } from 'vitest'
import { axeFindings, sidewaysBoxes } from './browser.ts'

export const isPhone = (width: number) => width < 768

/** Nothing that axe or a narrow window has against the page, light and dark. */
export async function looksRight(page: Page): Promise<void> {
  await page.evaluate(() => document.fonts.ready)
  expect(await axeFindings(page)).toEqual([])
  expect(await sidewaysBoxes(page)).toEqual([])
  // In the dark only the colours are others.
  await page.emulateMedia({ colorScheme: 'dark' })
  await page.locator('html.dark').waitFor()
  expect(await axeFindings(page, ['color-contrast'])).toEqual([])
  await page.emulateMedia({ colorScheme: 'light' })
  const size = page.viewportSize()!
  if (!isPhone(size.width)) return
  await page.setViewportSize({ width: 320, height: 640 })
  expect(await sidewaysBoxes(page)).toEqual([])
  await page.setViewportSize(size)
}
