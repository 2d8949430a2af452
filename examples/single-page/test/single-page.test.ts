import { once } from 'node:events'
import { complaintsOf, launchBrowser } from '@countersign/harness/browser.ts'
import { freePort } from '@countersign/harness/free-port.ts'
import { startTestServer, type TestServer } from '@countersign/harness/server.ts'
import { INSTALL_TIMEOUT_MS } from '@countersign/harness/system-program.ts'
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { createStaticServer } from '../server.ts'

let server: TestServer
let browser: Browser
beforeAll(async () => {
  server = await startTestServer(inject('cluster'))
  browser = await launchBrowser()
}, INSTALL_TIMEOUT_MS)
afterAll(async () => {
  await browser.close()
  await server.close()
})

test('a user registers, the tokens are refreshed, and the user signs out and in again', async () => {
  const { api, issuer } = server
  const port = await freePort()
  const url = `http://localhost:${port}`
  const oidcClientMetadata = { redirectUris: [`${url}/callback`], postLogoutRedirectUris: [url] }
  const { body: application } = await api('POST', '/applications', { name: 'Notes', type: 'SPA', oidcClientMetadata })
  const app = createStaticServer({ issuer, clientId: application.id }).listen(port)
  await once(app, 'listening')
  try {
    const page = await (await browser.newContext()).newPage()
    const complaints = complaintsOf(page)
    await page.goto(url)
    await page.click('#sign-in')
    await page.click('#register')
    await page.fill('#identifier', 'ada')
    await page.fill('#password', 'a long enough phrase')
    await page.keyboard.press('Enter')
    await page.waitForFunction(() => document.querySelector('#title')?.textContent === 'Hello, ada')
    // neither the code nor a token remains in the address
    expect(page.url()).toBe(`${url}/`)

    for (let count = 0; count < 2; count += 1) {
      await page.evaluate(() => document.querySelector('#status')?.replaceChildren())
      await page.click('#refresh')
      await page.waitForFunction(() => document.querySelector('#status')?.textContent === 'The tokens were renewed.')
    }

    await page.click('#sign-out')
    await page.waitForFunction(() => document.querySelector('#title')?.textContent === 'Notes')
    expect(page.url()).toBe(`${url}/`)
    await page.click('#sign-in')
    await page.fill('#identifier', 'ada')
    await page.fill('#password', 'a long enough phrase')
    await page.click('#submit')
    await page.waitForFunction(() => document.querySelector('#title')?.textContent === 'Hello, ada')
    expect(complaints).toEqual([])

    // while the session lasts, a new page signs in without a password
    const another = await page.context().newPage()
    await another.goto(url)
    await another.click('#sign-in')
    await another.waitForFunction(() => document.querySelector('#title')?.textContent === 'Hello, ada')
  } finally {
    app.closeAllConnections()
    app.close()
  }
})
