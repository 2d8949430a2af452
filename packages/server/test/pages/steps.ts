/** A step of the walk through the pages. */
import type { Page } from 'playwright-core'

/** Presses something, waits for what the next page has, and visits that page. */
export const press = async (
  page: Page,
  button: string,
  awaited: string,
  visit: (name: string) => Promise<void>,
  name: string,
): Promise<void> => {
  await page.click(button)
  await page.waitForSelector(awaited)
  await visit(name)
}
