/** Forms of another site in a real browser, which holds our cookies back with a POST and sends them with the GET after it. */
import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { launchBrowser } from '@countersign/harness/browser.ts'
import { startTestServer, type TestServer } from '@countersign/harness/server.ts'
import { INSTALL_TIMEOUT_MS } from '@countersign/harness/system-program.ts'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { begin, createApp, createUser, PASSWORD } from '../sign-in/arrange.ts'

let server: TestServer
let browser: Browser
/** An application at 127.0.0.1, which is another site than localhost. */
let site: Server
let origin: string
beforeAll(async () => {
  server = await startTestServer(inject('cluster'))
  site = createServer((_request, response) => {
    response.setHeader('content-type', 'text/html')
    response.end('<!doctype html><title>Notes</title>')
  }).listen(0, '127.0.0.1')
  await once(site, 'listening')
  origin = `http://127.0.0.1:${(site.address() as AddressInfo).port}`
  browser = await launchBrowser()
}, INSTALL_TIMEOUT_MS)
afterAll(async () => {
  await browser?.close()
  site?.closeAllConnections()
  site?.close()
  await server?.close()
})

/** Posts a form from a page of the application; waits until the browser has arrived. */
const post = async (page: Page, action: string, fields: Record<string, string>): Promise<void> => {
  await page.goto(origin)
  await Promise.all([
    page.waitForEvent('load'),
    page.evaluate(
      ([to, entries]) => {
        const form = document.createElement('form')
        form.method = 'post'
        form.action = to
        for (const [name, value] of entries) {
          const input = document.createElement('input')
          input.type = 'hidden'
          input.name = name
          input.value = value
          form.append(input)
        }
        document.body.append(form)
        form.submit()
      },
      [action, Object.entries(fields)] as const,
    ),
  ])
}

test("a session ends only with an ID token hint or the user's confirmation, whatever site the form comes from", {
  timeout: 60_000,
}, async () => {
  expect(new URL(server.baseUrl).hostname).toBe('localhost')
  const app = await createApp(server, 'SPA')
  const oidcClientMetadata = { redirectUris: [`${origin}/callback`], postLogoutRedirectUris: [`${origin}/bye`] }
  await server.api('PATCH', `/applications/${app.id}`, { oidcClientMetadata })
  const { id, username } = await createUser(server)
  const sessions = async () => (await server.api('GET', `/users/${id}/sessions`)).body.sessions.length
  const context = await browser.newContext()
  const page = await context.newPage()
  const names = async () => (await context.cookies(server.baseUrl)).map(({ name }) => name)

  // the request comes in a form too: the browser has no cookie yet
  const begun = await begin(app.configuration, { redirect_uri: `${origin}/callback` })
  await post(page, `${server.issuer}/auth`, Object.fromEntries(begun.url.searchParams))
  await page.fill('#identifier', username)
  await page.fill('#password', PASSWORD)
  await page.click('#submit')
  await page.waitForURL(`${origin}/callback?**`)
  const code = new URL(page.url()).searchParams.get('code') ?? ''
  const answer = await fetch(`${server.issuer}/token`, {
    method: 'POST',
    body: new URLSearchParams({
      grant_type: 'authorization_code',
      client_id: app.id,
      code,
      redirect_uri: `${origin}/callback`,
      code_verifier: begun.verifier,
    }),
  })
  const { id_token: hint } = (await answer.json()) as { id_token: string }

  await post(page, `${server.issuer}/session/end`, {})
  expect(await page.textContent('#title')).toBe('Sign out?')
  expect(await sessions()).toBe(1)
  expect(await names()).toContain('countersign-session')

  const silent = await begin(app.configuration, { redirect_uri: `${origin}/callback`, prompt: 'none' })
  await post(page, `${server.issuer}/auth`, Object.fromEntries(silent.url.searchParams))
  expect(new URL(page.url()).searchParams.has('code')).toBe(true)

  await post(page, `${server.issuer}/session/end`, {
    id_token_hint: hint,
    post_logout_redirect_uri: `${origin}/bye`,
    // too long for an address
    state: 'x'.repeat(5000),
  })
  expect(page.url()).toBe(`${origin}/bye?state=${'x'.repeat(5000)}`)
  expect(await sessions()).toBe(0)
  expect(await names()).not.toContain('countersign-session')
  await context.close()
})
