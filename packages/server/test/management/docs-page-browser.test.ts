import { execFile } from 'node:child_process'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import {
  accessibilityViolations,
  complaintsOf,
  horizontalOverflow,
  launchBrowser,
} from '@countersign/harness/browser.ts'
import { startTestServer, type TestServer } from '@countersign/harness/server.ts'
import { INSTALL_TIMEOUT_MS, systemProgram } from '@countersign/harness/system-program.ts'
import type { Browser, BrowserContextOptions, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, inject, test, vi } from 'vitest'

let server: TestServer
let browser: Browser
let address: string
beforeAll(async () => {
  server = await startTestServer(inject('cluster'))
  address = `${server.baseUrl}/api/docs`
  browser = await launchBrowser()
}, INSTALL_TIMEOUT_MS)
// axe-core looks at every field of every operation
vi.setConfig({ testTimeout: 300_000 })
afterAll(async () => {
  await browser?.close()
  await server?.close()
})

const visit = async (
  options: BrowserContextOptions,
  work: (page: Page, complaints: string[]) => Promise<void>,
  path = '/applications',
): Promise<void> => {
  const context = await browser.newContext(options)
  try {
    const page = await context.newPage()
    const complaints = complaintsOf(page)
    await page.goto(`${address}${path}`)
    await work(page, complaints)
  } finally {
    await context.close()
  }
}
const openEverything = (page: Page) =>
  page.evaluate(() => {
    for (const details of document.querySelectorAll('details')) details.open = true
  })

describe('the pages of the API reference in a browser', () => {
  test.each([
    ['light', ''],
    ['dark', ''],
    ['light', '/applications'],
    ['dark', '/users'],
  ] as const)('break no rule of accessibility (%s, /api/docs%s)', async (colorScheme, path) => {
    await visit(
      { colorScheme, viewport: { width: 1280, height: 900 } },
      async (page, complaints) => {
        await openEverything(page)
        expect(await accessibilityViolations(page)).toEqual([])
        expect(complaints).toEqual([])
      },
      path,
    )
  })

  test('fits a window of 360 pixels with everything open, and loads nothing else', async () => {
    await visit({ viewport: { width: 360, height: 800 } }, async (page, complaints) => {
      const requests: string[] = []
      page.on('request', (request) => requests.push(request.url()))
      await page.reload()
      await openEverything(page)
      expect(await horizontalOverflow(page)).toBe(0)
      expect(await accessibilityViolations(page)).toEqual([])
      expect(requests.filter((url) => !url.startsWith('data:'))).toEqual([`${address}/applications`])
      expect(complaints).toEqual([])
    })
  })

  test('works without JavaScript and with only the keyboard', async () => {
    await visit({ javaScriptEnabled: false, viewport: { width: 390, height: 800 } }, async (page) => {
      const facts = page.locator('#createApplication')
      expect(await facts.isVisible()).toBe(false)
      await page.locator('summary', { hasText: 'Register an application' }).focus()
      await page.keyboard.press('Enter')
      await facts.waitFor()
    })
  })

  test('opens the operation that a link names', async () => {
    await visit(
      { viewport: { width: 1280, height: 900 } },
      async (page) => {
        await page.locator('#createRole').waitFor()
        expect(await page.locator('#deleteRole').isVisible()).toBe(false)
        await page.getByRole('navigation').getByRole('link', { name: 'Delete a role' }).click()
        await page.locator('#deleteRole').waitFor()
      },
      '/roles#createRole',
    )
  })

  test(
    'shows commands that work as printed',
    async () => {
      await systemProgram(['curl'], 'curl')
      const folder = await mkdtemp(join(tmpdir(), 'countersign-test-'))
      await mkdir(join(folder, 'data'))
      await writeFile(join(folder, 'data', 'management.json'), JSON.stringify(server.credentials))
      await visit(
        {},
        async (page) => {
          const [token = '', list = ''] = await page.locator('pre').allTextContents()
          await page.goto(`${address}/applications`)
          const create = (await page.locator('#createApplication pre').textContent()) ?? ''
          const script = `${token}\n${list}\necho\n${create}`
          const { stdout } = await promisify(execFile)('sh', ['-c', script], { cwd: folder })
          const [listed = '', created = ''] = stdout.trim().split('\n')
          expect(JSON.parse(listed)).toHaveLength(1)
          expect(JSON.parse(created)).toMatchObject({ name: 'orders', type: 'Native' })
        },
        '',
      )
      await rm(folder, { recursive: true })
    },
    INSTALL_TIMEOUT_MS,
  )
})
