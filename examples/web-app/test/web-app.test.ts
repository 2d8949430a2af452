import { once } from 'node:events'
import { launchBrowser } from '@countersign/harness/browser.ts'
import { freePort } from '@countersign/harness/free-port.ts'
import { startTestServer, type TestServer } from '@countersign/harness/server.ts'
import { INSTALL_TIMEOUT_MS } from '@countersign/harness/system-program.ts'
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { createApp } from '../app.ts'

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

test('a user registers, sees their name, signs out and in again, in Chromium with and without JavaScript', async () => {
  const { api, issuer } = server
  await api('PATCH', '/account-center', { enabled: true })
  const port = await freePort()
  const url = `http://localhost:${port}`
  const oidcClientMetadata = { redirectUris: [`${url}/callback`], postLogoutRedirectUris: [url] }
  const { body: application } = await api('POST', '/applications', {
    name: 'Notes',
    type: 'Traditional',
    oidcClientMetadata,
  })
  const { body: secrets } = await api('GET', `/applications/${application.id}/secrets`)
  const app = (await createApp({ issuer, clientId: application.id, clientSecret: secrets[0].value, url })).listen(port)
  await once(app, 'listening')
  try {
    for (const javaScriptEnabled of [true, false]) {
      const context = await browser.newContext({ javaScriptEnabled })
      const page = await context.newPage()
      const username = `ada_${javaScriptEnabled}`
      await page.goto(url)
      await page.click('#sign-in')
      await page.click('#register')
      await page.fill('#identifier', username)
      await page.fill('#password', 'a long enough phrase')
      await page.keyboard.press('Enter')
      expect(await page.textContent('#name')).toBe(username)

      await page.click('#account')
      expect(await page.textContent('#back')).toBe('Back to Notes')
      await page.click('#back')
      expect(await page.textContent('#name')).toBe(username)

      await page.click('#sign-out')
      await page.click('#sign-in')
      await page.waitForSelector('#password')
      expect(await page.textContent('h1')).toBe('Sign in')
      await page.fill('#identifier', username)
      await page.fill('#password', 'a long enough phrase')
      await page.click('#submit')
      expect(await page.textContent('#name')).toBe(username)
      await context.close()
    }
  } finally {
    app.closeAllConnections()
    app.close()
  }
})
