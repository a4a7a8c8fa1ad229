import type { Page } from 'playwright-core'

/**
 * Waits until the open task accepts answers, which it does only after it has been in view for a
 * short time.
 */
export async function waitUntilAnswerable(page: Page): Promise<void> {
  await page.locator('[data-answerable]').waitFor()
}
