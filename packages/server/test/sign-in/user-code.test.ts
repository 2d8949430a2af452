import { startTestServer, type TestServer } from '@countersign/harness/server.ts'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import { createUser, newBrowser, PASSWORD } from './arrange.ts'
import type { Browser, Page } from './browser.ts'
import { ask, createDevice, enter } from './device.ts'

let server: TestServer
beforeAll(async () => {
  server = await startTestServer(inject('cluster'))
})
afterAll(() => server.close())

const tokenOf = ({ text }: Page) => /name="token" value="([^"]+)"/.exec(text)?.[1] ?? ''

/** Submits the form as a proxy passes it on from an address, and follows no redirect. */
const guessFrom = (url: string, browser: Browser, token: string, address: string, code: string) =>
  fetch(`${url}/device`, {
    method: 'POST',
    body: new URLSearchParams({ token, user_code: code }),
    headers: {
      'x-forwarded-for': address,
      cookie: `countersign-browser=${browser.cookie('countersign-browser')}`,
    },
    redirect: 'manual',
  })

describe('entering the code', () => {
  test.each([
    (code: string) => code.toLowerCase(),
    (code: string) => code.replace('-', ''),
    (code: string) => `  ${code.split('').join(' ')}  `,
    (code: string) => code.replace('-', ' – '),
  ])('%# forgives how it is written', async (write) => {
    const { id } = await createDevice(server)
    const { body: codes } = await ask(server, id)
    const page = await enter(server, newBrowser(), write(codes.user_code))
    expect(page.url.pathname).toMatch(/^\/sign-in\//)
  })

  test('wrong codes are counted by browser, even when concurrent; a right one does not reset the count', async () => {
    const { id } = await createDevice(server)
    const node = await server.startNode({ TRUSTED_PROXIES: '127.0.0.1' })
    const browser = newBrowser()
    const page = await browser.open(`${server.baseUrl}/device`)
    const token = tokenOf(page)
    // the devices are elsewhere
    const guess = (code: string) => guessFrom(node.url, browser, token, '192.0.2.7', code)
    for (let wrong = 0; wrong < 8; wrong += 1) expect((await guess('BBBB-BBBB')).status).toBe(422)
    const { body: own } = await ask(server, id)
    expect((await guess(own.user_code)).status).toBe(303)
    const statuses = await Promise.all(Array.from({ length: 12 }, async () => (await guess('BBBB-BBBB')).status))
    expect(statuses.toSorted()).toEqual([422, 422, ...Array(10).fill(429)])
    const { body: another } = await ask(server, id)
    const locked = await guess(another.user_code)
    expect(locked.status).toBe(429)
    expect(locked.headers.get('retry-after')).toBe('900')
    expect(await locked.text()).toContain('role="alert"')
    // of another browser in the same network the code is as good as ever
    const other = newBrowser()
    const otherToken = tokenOf(await other.open(`${server.baseUrl}/device`))
    expect((await guessFrom(node.url, other, otherToken, '192.0.2.7', another.user_code)).status).toBe(303)
    server.clock.advance(900)
    const { body: later } = await ask(server, id)
    expect((await guess(later.user_code)).status).toBe(303)
    await node.close()
  })

  test('wrong codes do not lock the right one of a device at the same address', async () => {
    const { id } = await createDevice(server)
    const browser = newBrowser()
    const page = await browser.open(`${server.baseUrl}/device`)
    for (let wrong = 0; wrong < 12; wrong += 1) await browser.submit(page, { user_code: 'BBBB-BBBB' })
    expect((await browser.submit(page, { user_code: 'BBBB-BBBB' })).status).toBe(429)
    const { body: codes } = await ask(server, id)
    expect((await browser.submit(page, { user_code: codes.user_code })).url.pathname).toMatch(/^\/sign-in\//)
    expect((await browser.submit(page, { user_code: 'BBBB-BBBB' })).status).toBe(429)
  })

  test('an address (for IPv6, its network) cannot guess more by using new browsers', async () => {
    const { id } = await createDevice(server)
    const node = await server.startNode({ TRUSTED_PROXIES: '127.0.0.1', ADDRESS_FAILURES: '4' })
    const guess = async (address: string, code = 'BBBB-BBBB') => {
      const browser = newBrowser()
      const token = tokenOf(await browser.open(`${server.baseUrl}/device`))
      return (await guessFrom(node.url, browser, token, address, code)).status
    }
    for (let host = 1; host <= 4; host += 1) expect(await guess(`2001:db8:1:2::${host}`)).toBe(422)
    expect(await guess('2001:db8:1:2:ffff::9')).toBe(429)
    const { body: codes } = await ask(server, id)
    expect(await guess('2001:db8:1:2:ffff::9', codes.user_code)).toBe(429)
    expect(await guess('2001:db8:1:3::1')).toBe(422)
    expect(await guess('2001:db8:1:3::1', codes.user_code)).toBe(303)
    await node.close()
  })

  test('R-33 the form is of this browser: another cannot have it sent', async () => {
    const { id } = await createDevice(server)
    const { body: codes } = await ask(server, id)
    const [mine, theirs] = [newBrowser(), newBrowser()]
    const page = await mine.open(`${server.baseUrl}/device`)
    await theirs.open(`${server.baseUrl}/device`)
    const refused = await theirs.submit(page, { user_code: codes.user_code })
    expect([refused.status, refused.url.pathname]).toEqual([400, '/device'])
    // a browser without a cookie, or one that does not send it because another site sends the form, comes to the empty form
    const body = new URLSearchParams({ user_code: codes.user_code })
    const sentOn = await fetch(page.url, { method: 'POST', body, redirect: 'manual' })
    expect([sentOn.status, sentOn.headers.get('location')]).toEqual([303, `${server.baseUrl}/device`])
    expect(sentOn.headers.getSetCookie()).toEqual([])
    expect((await mine.submit(page, { user_code: codes.user_code })).url.pathname).toMatch(/^\/sign-in\//)
  })

  test('R-21 the confirmation is of this browser, and its form too', async () => {
    const app = await createDevice(server)
    const { username } = await createUser(server)
    const { body: codes } = await ask(server, app.id)
    const browser = newBrowser()
    const confirm = await browser.submit(await enter(server, browser, codes.user_code), {
      identifier: username,
      password: PASSWORD,
    })
    expect((await newBrowser().open(confirm.url)).status).toBe(400)
    const forged = { method: 'POST', body: new URLSearchParams({ answer: 'allow' }) }
    expect((await browser.open(confirm.url, forged)).status).toBe(400)
    const body = new URLSearchParams({
      grant_type: 'urn:ietf:params:oauth:grant-type:device_code',
      client_id: app.id,
      device_code: codes.device_code,
    })
    const polled = await fetch(`${server.issuer}/token`, { method: 'POST', body })
    expect(await polled.json()).toMatchObject({ error: 'authorization_pending' })
  })

  test('R-37 never fails, whatever is typed', async () => {
    const typed = fc.oneof(fc.string({ unit: 'binary', maxLength: 200 }), fc.constantFrom('<script>', '"><b>', '%00'))
    const scriptsOf = (page: string) => page.match(/<script/g)?.length ?? 0
    const ours = scriptsOf((await enter(server, newBrowser(), 'BCDF-GHJK')).text)
    await fc.assert(
      fc.asyncProperty(typed, async (text) => {
        const page = await enter(server, newBrowser(), text)
        // a form that holds a NUL is refused as a whole
        expect(text.includes('\0') ? [400] : [200, 422, 429]).toContain(page.status)
        expect(page.text).not.toContain('<b>')
        expect(scriptsOf(page.text)).toBeLessThanOrEqual(ours)
        const linked = await fetch(
          `${server.baseUrl}/device?${new URLSearchParams({ user_code: text.replaceAll('\0', '') })}`,
        )
        expect(linked.status).toBe(200)
      }),
      { numRuns: 40 },
    )
  })
})
