/** The main paths of the screens for operators: events, health, keys; console-browser.test.ts runs them in turn. */
import type { TestServer } from '@countersign/harness/server.ts'
import type { Page } from 'playwright-core'
import { expect } from 'vitest'
import { signIn } from './arrange.ts'

/** The console that is open. */
interface Opened {
  readonly server: TestServer
  readonly page: Page
  readonly open: (path: string) => Promise<unknown>
}

/** @param url of a receiver that accepts everything */
export const eventScreens = async ({ server, page, open }: Opened, url: string): Promise<void> => {
  await open('/webhooks')
  await page.getByRole('link', { name: 'Live events' }).click()
  await page.getByLabel('Event', { exact: true }).selectOption('Role.Created')
  const rows = page.getByRole('list', { name: 'Events' }).getByRole('listitem')
  await server.client.createRole({ body: { name: 'Reviewer <b>', type: 'User' } })
  await rows.filter({ hasText: 'Reviewer <b>' }).getByRole('button').click()
  const dialog = page.getByRole('dialog')
  await dialog.locator('pre', { hasText: '"name": "Reviewer <b>"' }).waitFor()
  await dialog.getByRole('link', { name: 'Payload of Role.Created' }).click()
  await page.getByRole('heading', { name: 'Event catalogue' }).waitFor()

  const { id } = await server.client.createHook({
    body: { name: 'Replayed', events: ['Role.Created'], config: { url } },
  })
  await open(`/webhooks/${id}`)
  await page.getByRole('button', { name: 'Send again' }).click()
  await dialog.getByLabel('From').fill('2020-01-01T00:00')
  await dialog.getByRole('button', { name: 'Send', exact: true }).click()
  const { events } = await server.client.readEvents({ query: { event: 'Role.Created', last: 100 } })
  await dialog.getByText(`Events sent: ${events.length}`).waitFor()
  await server.client.deleteHook({ params: { id } })
}

/** The log, live: what happens appears once, also while the server has no room, and after the tab was hidden. */
export const logScreen = async ({ server, page, open }: Opened): Promise<void> => {
  const isLive = /\/logs\/live\?.*since=/
  const rows = page.getByRole('button', { name: 'Create a role' })
  const logged = async () =>
    (await server.client.listLogs({ query: { logKey: 'ManagementApi.createRole', page_size: 100 } })).length
  const missing = async () => (await logged()) - (await rows.count())
  /** Gives back once the request that follows has begun. */
  const createRole = async (name: string) => {
    const next = page.waitForRequest(isLive)
    await server.client.createRole({ body: { name, type: 'User' } })
    await next
  }
  const show = (state: 'hidden' | 'visible') =>
    page.evaluate((visibilityState) => {
      Object.defineProperty(document, 'visibilityState', { configurable: true, value: visibilityState })
      document.dispatchEvent(new Event('visibilitychange'))
    }, state)
  const begun = page.waitForRequest(isLive)
  await open('/log?key=ManagementApi.createRole')
  await begun
  await createRole('Logged first')
  await createRole('Logged second')
  await expect.poll(missing).toBe(0)
  const ended = page.waitForEvent('requestfailed', (request) => isLive.test(request.url()))
  await show('hidden')
  await ended
  await server.client.createRole({ body: { name: 'Logged unseen', type: 'User' } })
  expect(await missing()).toBe(1)
  await show('visible')
  await expect.poll(missing).toBe(0)
  await page.route('**/api/logs/live?*', (request) => request.fulfill({ status: 429, json: {} }))
  await createRole('Logged at last')
  await page.getByText('Many windows follow the log').waitFor()
  await page.unroute('**/api/logs/live?*')
  await createRole('Logged meanwhile')
  await expect.poll(missing).toBe(0)
}

/** The findings are said in the language of the console, not in the server's. */
const inGerman = async ({ server, page, open }: Opened): Promise<void> => {
  const speak = (tag: string) => page.evaluate((chosen) => localStorage.setItem('console.language', chosen), tag)
  await speak('de')
  await open('/health')
  await page.getByRole('button', { name: 'Jetzt prüfen' }).click()
  const asked = page.getByRole('list', { name: 'Von außen' }).getByRole('listitem')
  const ofBaseUrl = asked.filter({ hasText: `Basis-URL ${server.baseUrl}` })
  await ofBaseUrl.getByText('Führt zum Server, der dieselbe Basis-URL hat').waitFor()
  await speak('en')
  await open('/health')
}

export const healthScreen = async ({ server, page, open }: Opened): Promise<void> => {
  await open('/health')
  const findings = page.getByRole('list', { name: 'Needs attention' })
  const owners = findings.getByRole('listitem').filter({ hasText: 'There is only one owner' })
  await owners.getByRole('link', { name: 'Administrators' }).waitFor()
  const { installation, limits } = await server.client.getHealth()
  await page.getByText(`PostgreSQL ${installation?.databaseVersion}`).waitFor()
  await page.getByText(/^\d+ of \d+$/).waitFor()
  await page.getByRole('list', { name: 'Tenants' }).getByText(`${server.baseUrl}/oidc`).waitFor()
  await page.getByText('May open the console:').waitFor()
  await page.getByRole('button', { name: 'Check now' }).click()
  const outside = page.getByRole('list', { name: 'From outside' })
  await outside
    .getByRole('listitem')
    .filter({ hasText: `base URL ${server.baseUrl}` })
    .getByLabel('In order')
    .waitFor()
  await inGerman({ server, page, open })
  const locked = page
    .getByRole('list', { name: 'Limits reached' })
    .getByRole('listitem')
    .filter({ hasText: 'Names locked' })
  await locked.getByText(String(limits.lockouts), { exact: true }).waitFor()
  await locked.getByRole('link', { name: 'Events' }).click()
  await expect.poll(() => page.getByLabel('Event', { exact: true }).inputValue()).toBe('Identifier.Lockout')
  await page.goBack()
  await page.getByRole('link', { name: 'Refused in the log' }).click()
  await expect.poll(() => page.getByLabel('Result').inputValue()).toBe('Error')
  await page.goBack()
  await page.getByRole('link', { name: 'Manage administrators' }).click()
  await page.getByRole('button', { name: 'Create role' }).waitFor()
  await page.goBack()

  await page.getByRole('tab', { name: 'Signing keys' }).click()
  await page.getByText(`${server.baseUrl}/oidc/jwks`).waitFor()
  const keys = async () =>
    (await server.client.listSigningKeys()).map(({ algorithm, status }) => `${algorithm} ${status}`).sort()
  expect(await keys()).toEqual(['ES256 Current'])
  server.clock.advance(1)
  await page.getByRole('button', { name: 'Rotate keys' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Algorithm').selectOption('ES384')
  await dialog.getByText('Make sure that your APIs accept this algorithm').waitFor()
  await dialog.getByLabel('Waiting time').selectOption('0')
  await dialog.getByText('Until they read them again').waitFor()
  await dialog.getByRole('button', { name: 'Rotate keys' }).click()
  await expect.poll(keys).toEqual(['ES256 Previous', 'ES384 Current'])

  // so that the token of the test's own client, signed with the key that is deleted, has been replaced
  server.clock.advance(1900)
  const remove = async () => {
    await page.getByRole('button', { name: /^Delete key/ }).click()
    const typed = await dialog.locator('strong').textContent()
    await dialog.getByRole('textbox').fill(typed ?? '')
    await dialog.getByRole('button', { name: 'Delete' }).click()
  }
  await remove()
  await page.getByRole('dialog', { name: 'Confirm that it is you' }).getByRole('button', { name: 'Continue' }).click()
  await signIn(page, 'grace')
  await remove()
  await expect.poll(keys).toEqual(['ES384 Current'])

  await page.getByRole('tab', { name: 'Tenant as a file' }).click()
  await page.locator('pre', { hasText: 'signInExperience:' }).waitFor()
  const text = page.getByLabel('File (YAML)')
  await text.fill('colour: red')
  await page.getByRole('button', { name: 'Compare' }).click()
  await page.getByRole('alert').getByText('Line 1, column 1').waitFor()
  await text.fill('roles:\n  - name: Filed <b>\n    type: User\n')
  await page.getByRole('button', { name: 'Compare' }).click()
  const change = page.getByRole('list', { name: 'Difference' }).getByRole('listitem')
  await change.filter({ hasText: 'New' }).getByText('Filed <b>').waitFor()
  const roles = async () => (await server.client.listRoles({ query: { search: 'Filed%' } })).map(({ name }) => name)
  expect(await roles()).toEqual([])
  await page.getByRole('button', { name: 'Apply a file' }).click()
  await dialog.getByRole('textbox').fill('apply')
  await dialog.getByRole('button', { name: 'Apply a file' }).click()
  await expect.poll(roles).toEqual(['Filed <b>'])
  await page.locator('pre', { hasText: 'Filed <b>' }).waitFor()
}

/** A role of the tenant's own, made, changed and deleted by an administrator who has signed in of late; the screen is open. */
export const administratorRoles = async ({ server, page }: Pick<Opened, 'server' | 'page'>): Promise<void> => {
  const dialog = page.getByRole('dialog')
  const own = async () =>
    (await server.client.listAdministratorRoles({ query: { page_size: 100 } }))
      .filter(({ name }) => name.startsWith('Reception <b>'))
      .map(({ name, permissions }) => [name, [...permissions].sort()])
  await page.getByRole('button', { name: 'Create role' }).click()
  await dialog.getByLabel('Name').fill('Owner')
  await dialog.getByLabel('read:users').check()
  await dialog.getByRole('button', { name: 'Create role' }).click()
  await dialog.locator('[name=name][aria-invalid=true]').waitFor()
  await dialog.getByLabel('Name').fill('Reception <b>')
  await dialog.getByRole('button', { name: 'Create role' }).click()
  await expect.poll(own).toEqual([['Reception <b>', ['read:users']]])

  await page.getByRole('button', { name: 'Edit role: Reception <b>' }).click()
  await dialog.getByLabel('write:users').check()
  await dialog.getByRole('button', { name: 'Edit role' }).click()
  await expect.poll(own).toEqual([['Reception <b>', ['read:users', 'write:users']]])
  expect(await page.getByRole('button', { name: /^(Edit|Delete) role: (Owner|Support)/ }).count()).toBe(0)

  await page.getByRole('button', { name: 'Delete role: Reception <b>' }).click()
  await dialog.getByRole('textbox').fill('Reception <b>')
  await dialog.getByRole('button', { name: 'Delete' }).click()
  await expect.poll(own).toEqual([])
}
