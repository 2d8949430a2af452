/** The choice of organizations on the consent page of third-party applications (DECISIONS E2, F4). */
import { startTestServer, type TestServer } from '@countersign/harness/server.ts'
import { decodeJwt } from 'jose'
import { afterAll, beforeAll, beforeEach, expect, inject, test } from 'vitest'
import { begin, createApp, createUser, newBrowser, redeem, signIn } from '../sign-in/arrange.ts'
import type { Browser, Page } from '../sign-in/browser.ts'
import { createOrganization, join, mayAsk, ORGANIZATIONS, refresh } from './token-arrange.ts'

let server: TestServer
let app: Awaited<ReturnType<typeof createApp>>
let user: Awaited<ReturnType<typeof createUser>>
let [first, second, foreign] = ['', '', '']
beforeAll(async () => {
  server = await startTestServer(inject('cluster'))
})
beforeEach(async () => {
  app = await createApp(server, 'SPA', { isThirdParty: true })
  await mayAsk(server, app.id, { userScopes: [ORGANIZATIONS] })
  user = await createUser(server)
  ;[first, second, foreign] = [
    await createOrganization(server, 'Alpha <b>'),
    await createOrganization(server, 'Beta'),
    await createOrganization(server, 'Foreign'),
  ]
  for (const id of [first, second]) await join(server, id, user.id)
})
afterAll(() => server.close())

const SCOPE = `openid offline_access ${ORGANIZATIONS}`
const arrive = async (browser = newBrowser(), parameters: Record<string, string> = {}) => {
  const begun = await begin(app.configuration, { scope: SCOPE, ...parameters })
  const opened = await browser.open(begun.url)
  const page = opened.text.includes('id="allow"') ? opened : await signIn(browser, begun, user.username)
  return { browser, begun, page }
}
/** Posts the form as a browser does that has several boxes ticked. */
const allow = (browser: Browser, page: Page, chosen: string[], offered = [first, second]) => {
  const [, token = ''] = /name="token" value="([^"]+)"/.exec(page.text) ?? []
  const fields = [
    ['token', token],
    ['answer', 'allow'],
    ['offered', offered.join(' ')],
  ]
  const body = new URLSearchParams([...fields, ...chosen.map((id) => ['organization', id])])
  return browser.open(page.url, { method: 'POST', body })
}
const boxes = ({ text }: Page) =>
  [...text.matchAll(/<input type="checkbox" name="organization" value="(\w+)" (checked)?[^>]*>([^<]*)/g)].map(
    ([, id, checked, name]) => [id, checked !== undefined, name],
  )
const agreed = async () => {
  const { body } = await server.api('GET', `/applications/${app.id}/users/${user.id}/consent-organizations`)
  return (body.organizations ?? body).map(({ id }: { id: string }) => id).sort()
}

test("offers the user's organizations, none preselected, and stores the choice", async () => {
  const { browser, begun, page } = await arrive()
  expect(boxes(page)).toEqual([
    [first, false, 'Alpha &lt;b&gt;'],
    [second, false, 'Beta'],
  ])
  const tokens = await redeem(app.configuration, await allow(browser, page, [second]), begun)
  expect(tokens.claims()?.organizations).toEqual([second])
  const there = await refresh(app, tokens.refresh_token, { organization_id: second })
  expect(decodeJwt(there.tokens?.access_token ?? '').organization_id).toBe(second)
  expect(await refresh(app, there.tokens?.refresh_token, { organization_id: first })).toEqual({
    status: 403,
    error: 'access_denied',
  })
})

test('shows the earlier choice, and revokes what is deselected', async () => {
  const { browser, page } = await arrive()
  await allow(browser, page, [first, second])
  expect(await agreed()).toEqual([first, second].sort())
  const again = await arrive(browser, { prompt: 'consent' })
  expect(boxes(again.page).map(([, checked]) => checked)).toEqual([true, true])
  await allow(browser, again.page, [first])
  expect(await agreed()).toEqual([first])
  const refused = await arrive(browser, { prompt: 'consent' })
  await browser.submit(refused.page, { answer: 'deny' })
  expect(await agreed()).toEqual([first])
})

test('takes no organization that the user is not in, and none that was not offered', async () => {
  const { browser, page } = await arrive()
  const back = await allow(browser, page, [first, foreign, second, '0'], [first, foreign])
  expect(back.url.searchParams.has('code')).toBe(true)
  expect(await agreed()).toEqual([first])
})

test('is not there for an application that does not ask for organizations, nor for one of the first party', async () => {
  expect(boxes((await arrive(newBrowser(), { scope: 'openid' })).page)).toEqual([])
  app = await createApp(server, 'SPA')
  const begun = await begin(app.configuration, { scope: SCOPE })
  expect((await signIn(newBrowser(), begun, user.username)).url.searchParams.has('code')).toBe(true)
})
