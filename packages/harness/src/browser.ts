/** The system's Chromium for tests of pages, and axe-core to check a page against the accessibility rules. */
import axe from 'axe-core'
import { type Browser, type BrowserContext, chromium, type Page } from 'playwright-core'
import { systemProgram } from './system-program.ts'

const NAMES = [
  'chromium',
  'chromium-browser',
  'google-chrome',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
]

/** Disables everything that uses the network by itself. */
const ARGUMENTS = [
  '--headless',
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
]

/**
 * Starts Chromium, which is installed first if that is possible and needed: give the set-up that calls this
 * INSTALL_TIMEOUT_MS. The caller closes it.
 */
export const launchBrowser = async (): Promise<Browser> =>
  chromium.launch({ executablePath: await systemProgram(NAMES, 'chromium'), args: ARGUMENTS })

/** Starts Chromium with a profile in a folder, and a port at which another program can join it. The caller closes it. */
export const launchProfile = async (folder: string, port: number): Promise<BrowserContext> =>
  chromium.launchPersistentContext(folder, {
    executablePath: await systemProgram(NAMES, 'chromium'),
    args: [...ARGUMENTS, `--remote-debugging-port=${port}`],
    locale: 'en-US',
  })

/** Problems that a page reports: console errors and warnings, and uncaught errors. */
export const complaintsOf = (page: Page): string[] => {
  const complaints: string[] = []
  page.on('console', (message) => {
    if (['error', 'warning'].includes(message.type())) complaints.push(message.text())
  })
  page.on('pageerror', (error) => complaints.push(error.message))
  return complaints
}

/** The accessibility rules that the page breaks, each with its place. The page's CSP stays in force. */
export const accessibilityViolations = async (page: Page): Promise<string[]> => {
  const isThere = await page.evaluate(() => 'axe' in globalThis)
  if (!isThere) await page.evaluate(axe.source)
  // passing elements are counted but not collected: on a long page that takes longer than the rules
  const { violations } = await page.evaluate(() =>
    (globalThis as unknown as { axe: typeof axe }).axe.run({ resultTypes: ['violations'] }),
  )
  return violations.map(({ id, help, nodes }) => `${id}: ${help} (${nodes.map(({ html }) => html).join(' | ')})`)
}

/** How many pixels the page is wider than its window: 0 when no sideways scrolling is needed. */
export const horizontalOverflow = (page: Page): Promise<number> =>
  page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth)
