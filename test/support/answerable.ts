import type { Page } from 'playwright-core'

/** Waits until the open task takes answers: it must have been in view for a moment. */
export async function answerable(page: Page): Promise<void> {
  await page.locator('.dock[data-answerable]').waitFor()
}
