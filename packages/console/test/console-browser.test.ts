/** The console in a real browser over the real server: the main path of each screen, roles, and the end of a session. */
import {
  accessibilityViolations,
  complaintsOf,
  horizontalOverflow,
  launchBrowser,
} from '@countersign/harness/browser.ts'
import { freePort } from '@countersign/harness/free-port.ts'
import { startTestServer, type TestServer } from '@countersign/harness/server.ts'
import { INSTALL_TIMEOUT_MS } from '@countersign/harness/system-program.ts'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { apiScreens, explainScreen, organizationScreens, roleScreens } from './access-screens.ts'
import { applicationAccess, applicationPaths, applicationSettings } from './application-screens.ts'
import { buildConsole, createAdministrator, follow, type Receiver, settle, signIn, startReceiver } from './arrange.ts'
import { firstScreenBytes } from './bundle-size.ts'
import { conflictScreens } from './conflict-screens.ts'
import { connectionScreens, slowScreens } from './connection-screens.ts'
import { detailsScreens } from './details-screens.ts'
import { deletions, directoryPaths, organizationRest, samlScreens, scimScreens } from './directory-screens.ts'
import { errorScreens } from './error-screens.ts'
import { administratorRoles, eventScreens, healthScreen, logScreen } from './operations-screens.ts'
import { registrationScreen } from './registration-screens.ts'
import { signInScreens } from './sign-in-screens.ts'
import { signalScreens } from './signal-screens.ts'
import { actAsScreen, importScreen, userScreens } from './user-screens.ts'
import { applyLines, roleTable } from './whole-screens.ts'

let server: TestServer
let browser: Browser
let page: Page
let complaints: string[]
let receiver: Receiver
beforeAll(async () => {
  buildConsole()
  server = await startTestServer(inject('cluster'))
  browser = await launchBrowser()
  receiver = await startReceiver()
  await createAdministrator(server, 'grace', 'owner')
  page = await (await browser.newContext({ locale: 'en-US' })).newPage()
  complaints = complaintsOf(page)
  await page.goto(`${server.baseUrl}/console`)
  await signIn(page, 'grace')
}, INSTALL_TIMEOUT_MS)
afterAll(async () => {
  await browser?.close()
  await server?.close()
  receiver?.close()
})

const open = async (path: string, where = page) => {
  await where.goto(`${server.baseUrl}/console${path}`)
  await where.waitForSelector('#content h1')
}
const heading = (where = page) => where.locator('#content h1').textContent()

test('an administrator signs in, and a reload asks for nothing; the address holds neither code nor token', async () => {
  expect(await heading()).toBe('Hello, grace')
  await page.reload()
  await page.waitForSelector('#content h1')
  expect(await heading()).toBe('Hello, grace')
  expect(page.url()).toBe(`${server.baseUrl}/console`)
  expect(await page.evaluate(() => JSON.stringify({ ...localStorage, ...sessionStorage }))).not.toMatch(/eyJ/)
  // by its own name too, the document cannot be framed
  const { headers } = await fetch(`${server.baseUrl}/console/index.html`)
  expect(headers.get('content-security-policy')).toContain("frame-ancestors 'none'")
})

test('the first screen loads less than 165 KB, compressed', () => {
  expect(firstScreenBytes()).toBeLessThan(165_000)
})

test('an application is created from the first steps, and its code has its id', async () => {
  await page.getByRole('link', { name: 'Create application' }).click()
  await page.getByRole('button', { name: 'Create application' }).click()
  await page.getByText('This is required.').waitFor()
  await page.getByLabel('Name').fill('<img src=x> portal')
  await page.getByLabel('Redirect URI').fill("http://localhost:3000/callback?'+evil()+'")
  await page.keyboard.press('Enter')
  await page.getByRole('heading', { name: '<img src=x> portal' }).waitFor()
  const [created] = await server.client.listApplications({ query: { search: '%portal' } })
  expect(await page.locator('pre').allTextContents()).toContainEqual(
    expect.stringContaining(
      `client_id: '${created?.id}',\n  redirect_uri: 'http://localhost:3000/callback?\\'+evil()+\\'',`,
    ),
  )
})

test('a redirect address that was refused is added once its origin was seen; one that is none is refused at its field', async () => {
  const [application] = await server.client.listApplications({ query: { search: '%portal' } })
  const refused = 'http://localhost:4000/other'
  const query = new URLSearchParams({
    client_id: application?.id ?? '',
    redirect_uri: refused,
    response_type: 'code',
    scope: 'openid',
  })
  await fetch(`${server.issuer}/auth?${query}`)
  await open(`/applications/${application?.id}?tab=settings`)
  await page.getByRole('button', { name: `Add this address: ${refused}` }).click()
  const asked = page.getByRole('dialog', { name: 'Add this address?' })
  await asked.getByText('127.0.0.1').waitFor()
  await asked.getByRole('button', { name: 'Add this address' }).click()
  const saveAddresses = page
    .locator('form')
    .filter({ hasText: 'Redirect URIs' })
    .getByRole('button', { name: 'Save changes' })
  await saveAddresses.click()
  const uris = async () =>
    (await server.client.getApplication({ params: { id: application?.id ?? '' } })).oidcClientMetadata.redirectUris
  await expect.poll(uris).toEqual(["http://localhost:3000/callback?'+evil()+'", refused])

  await page.getByLabel('Redirect URIs 2').fill('not an address')
  await saveAddresses.click()
  await page.getByRole('alert').first().waitFor()
  expect(await page.getByLabel('Redirect URIs 2').inputValue()).toBe('not an address')
  expect(await uris()).toHaveLength(2)
  await page.getByRole('button', { name: 'Discard' }).click()
  complaints.splice(0, complaints.length, ...complaints.filter((each) => !/status of 4/.test(each)))
})

test('a user is created, found while typing, and suspended; the log says so', async () => {
  await server.client.createUser({ body: { username: 'zoe', name: 'Zoe' } })
  await open('/users')
  await page.getByRole('button', { name: 'Create user' }).click()
  await page.getByRole('dialog').getByLabel('Name', { exact: true }).fill('Ada "><script>')
  await page.getByRole('dialog').getByLabel('Username').fill('ada')
  await page.keyboard.press('Enter')
  await page.getByRole('heading', { name: 'Ada "><script>' }).waitFor()
  await page.getByRole('button', { name: 'Suspend' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Suspend' }).click()
  await page.getByRole('button', { name: 'Reactivate' }).waitFor()

  await page.getByRole('link', { name: 'Users', exact: true }).first().click()
  await page.getByLabel('Search by name, email, phone or id').fill('ad')
  await page.waitForURL(/search=ad/)
  await expect.poll(() => page.locator('tbody tr').allTextContents()).toEqual([expect.stringContaining('Suspended')])

  await open('/log')
  await page.getByRole('button', { name: 'Suspend or reactivate a user' }).first().click()
  const details = page.getByRole('dialog')
  await details.getByText('isSuspended').first().waitFor()
  await details.getByTitle('Everything that this request did').click()
  await page.waitForURL(/[?&]request=/)
  await expect.poll(() => page.locator('#content li').count()).toBe(1)
  await page.getByLabel('Result').selectOption('Refused')
  await page.getByText('Nothing matches').waitFor()
  await page.getByRole('button', { name: 'Clear filters' }).click()
  await page.getByLabel('Result').selectOption('Refused')
  await expect.poll(() => page.getByRole('button', { name: /^Succeeded/ }).count()).toBe(0)
  await page.getByRole('button', { name: 'Authorization request' }).click()
  await details.getByRole('link', { name: '<img src=x> portal' }).first().click()
  await page.getByRole('heading', { name: '<img src=x> portal' }).waitFor()
})

test('an API gets many permissions at once, becomes the default one, and is deleted by its name', async () => {
  await apiScreens({ server, page, open })
  complaints.splice(0, complaints.length, ...complaints.filter((each) => !/status of 4/.test(each)))
})

test('an application gets keys, an exchange policy, a look and custom data; what is refused is said at its field', async () => {
  await applicationSettings({ server, page, open })
  complaints.splice(0, complaints.length, ...complaints.filter((each) => !/status of 4|inline style/.test(each)))
})

test('an application admits some users, asks for consent to some permissions, and gets roles', async () => {
  await applicationAccess({ server, page, open })
  complaints.splice(0, complaints.length, ...complaints.filter((each) => !/status of 4/.test(each)))
})

test('a type of authorization details is written beside its sentence, chosen for an application, and deleted', async () => {
  await detailsScreens({ server, page, open })
  complaints.splice(0, complaints.length, ...complaints.filter((each) => !/status of 4|inline style/.test(each)))
})

test('a SAML application is created, told about its product, and its key replaced', async () => {
  await samlScreens({ server, page, open })
  complaints.splice(0, complaints.length, ...complaints.filter((each) => !/status of 4/.test(each)))
})

test('a SCIM directory gets a token that is shown once, and its groups get roles', async () => {
  await scimScreens({ server, page, open })
})

test('an API and a role are deleted once their name is typed', async () => {
  await deletions({ server, page, open })
})

test('an organization has its own look, domains, identity provider and directory, and is deleted', async () => {
  await organizationRest({ server, page, open })
  complaints.splice(0, complaints.length, ...complaints.filter((each) => !/status of 4|inline style/.test(each)))
})

test('a webhook is created, what its receiver refuses is seen and sent again, its key rotated', async () => {
  const { url, answerWith } = receiver
  await open('/webhooks')
  await page.getByRole('link', { name: 'Create webhook' }).first().click()
  await page.getByRole('button', { name: 'Create webhook' }).click()
  await page.getByText('This is required.').waitFor()
  await page.getByLabel('Name', { exact: true }).fill('<b>relations</b>')
  await page.getByLabel('Address').fill('http://user:secret@receiver.example')
  await page.locator('summary', { hasText: 'Users' }).click()
  await page.getByLabel('User.Created').check()
  await page.getByLabel('Headers').fill('X-From: console')
  await page.getByRole('button', { name: 'Create webhook' }).click()
  await page.getByText('The URL of a hook must be').waitFor()
  await page.getByLabel('Address').fill(url)
  await page.getByRole('button', { name: 'Create webhook' }).click()
  await page.getByRole('heading', { name: '<b>relations</b>' }).waitFor()
  const [hook] = await server.client.listHooks()
  expect([hook?.events, hook?.config]).toEqual([['User.Created'], { url, headers: { 'X-From': 'console' } }])

  answerWith(500, 'out of order')
  await server.client.createUser({ body: { username: 'hooked' } })
  await page.getByRole('button', { name: 'User.Created' }).click()
  const drawer = page.getByRole('dialog')
  await drawer.getByText('the receiver answered 500').waitFor()
  await drawer.getByText('out of order').waitFor()
  answerWith(200, 'taken')
  await drawer.getByRole('button', { name: 'Retry now' }).click()
  await drawer.getByText('Delivered', { exact: true }).waitFor()
  await page.keyboard.press('Escape')

  await page.getByRole('button', { name: 'Send test' }).click()
  await page.getByRole('button', { name: 'Send', exact: true }).click()
  await page.getByText('The receiver accepted it.').waitFor()
  await page.keyboard.press('Escape')
  await page.getByRole('tab', { name: 'Signing key' }).click()
  await page.getByRole('button', { name: 'Rotate signing key' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Rotate signing key' }).click()
  await page.getByText(/The previous key signs too until/).waitFor()
  await page.getByRole('button', { name: 'Show signing key' }).click()
  const [rotated] = await server.client.listHooks()
  expect(rotated?.signingKey).not.toBe(hook?.signingKey)
  await page.getByText(rotated?.signingKey ?? '').waitFor()
  complaints.splice(0, complaints.length, ...complaints.filter((each) => !/status of 4/.test(each)))
})

test('the log shows what happens, once, whatever comes between', async () => {
  await logScreen({ server, page, open })
  complaints.splice(0, complaints.length, ...complaints.filter((each) => !/status of 4/.test(each)))
})

test('events are seen as they occur; those of a period are sent again, with how far that has come', async () => {
  await eventScreens({ server, page, open }, receiver.url)
})

test('an application is told what happens to its users; its stream is paused, continues, and is deleted', async () => {
  await signalScreens({ server, page, open })
})

test('the look of the pages is seen before it is saved, in a frame that nothing can be done in', async () => {
  await open('/sign-in-experience')
  const preview = page.getByRole('region', { name: 'Preview' })
  const frame = page.locator('iframe')
  const shown = (what: 'shade' | 'text') =>
    frame.evaluate((element, wanted) => {
      const button = (element as HTMLIFrameElement).contentDocument?.querySelector('#submit')
      if (!button) return ''
      return wanted === 'shade' ? getComputedStyle(button).backgroundColor : button.textContent
    }, what)
  const shade = () => shown('shade')
  await expect.poll(shade).toBe('rgb(47, 79, 208)')
  await page.getByLabel('Accent', { exact: true }).fill('#a3221b')
  await expect.poll(shade).toBe('rgb(163, 34, 27)')
  expect(await page.getByLabel('Accent', { exact: true }).evaluate((field) => field === document.activeElement)).toBe(
    true,
  )
  await preview.getByRole('button', { name: 'Show in dark mode' }).click()
  await expect.poll(shade).toBe('rgb(157, 178, 255)')
  await preview.getByRole('button', { name: 'Show on a phone' }).click()
  await preview.getByLabel('Page').selectOption('Registration')
  await preview.getByLabel('Language').selectOption('Deutsch')
  await expect.poll(() => shown('text')).toBe('Konto anlegen')
  await preview.getByLabel('Page').selectOption('Consent')
  await expect
    .poll(() => frame.evaluate((e) => (e as HTMLIFrameElement).contentDocument?.querySelector('#allow')?.textContent))
    .toBe('Zulassen')
  expect(await frame.getAttribute('sandbox')).toBe('allow-same-origin')
  expect((await server.client.getSignInExperience()).color.primaryColor).toBe('#2f4fd0')

  await page.getByLabel('Help').fill('javascript:alert(1)')
  await page.getByRole('button', { name: 'Save changes' }).click()
  await page.locator('form').getByText('This has to be an http or https address.').first().waitFor()
  await page.getByLabel('Help').fill('')
  await page.getByRole('tab', { name: 'Methods' }).click()
  await page.getByLabel('Email: Password').check()
  await page.getByRole('tab', { name: 'Security' }).click()
  await page.getByRole('switch', { name: 'Authenticator app' }).click()
  await page.getByLabel('Shortest').fill('12')
  await page.getByRole('button', { name: 'Save changes' }).click()
  await expect
    .poll(() => server.client.getSignInExperience())
    .toMatchObject({
      color: { primaryColor: '#a3221b' },
      signIn: { methods: [{ identifier: 'username' }, { identifier: 'email', password: true }] },
      mfa: { factors: ['Totp'] },
      passwordPolicy: { length: { min: 12, max: 256 } },
    })
  complaints.splice(0, complaints.length, ...complaints.filter((each) => !/status of 4/.test(each)))
})

test('the other settings, the style sheet and the phrases of the pages are changed beside what they change', async () => {
  await signInScreens({ server, page, open })
  complaints.splice(0, complaints.length, ...complaints.filter((each) => !/status of 4|inline style/.test(each)))
})

test('many users are given a role or deleted at once; for whom it failed is said', async () => {
  const ids = []
  for (const name of ['Bulky Bea', 'Bulky Ben', 'Bulky Bix'])
    ids.push((await server.client.createUser({ body: { name } })).id)
  await server.client.createRole({ body: { name: 'Tester', description: 'Tests', type: 'User' } })
  await open('/users?search=bulky')
  await expect.poll(() => page.locator('tbody tr').count()).toBe(3)
  const chosen = page.getByRole('region', { name: 'Chosen users' })
  const dialog = page.getByRole('dialog')
  await page.getByRole('button', { name: 'Choose this page' }).click()
  await server.client.deleteUser({ params: { userId: ids[2] ?? '' } })
  await chosen.getByRole('button', { name: 'Add role' }).click()
  await dialog.getByLabel('Role').selectOption('Tester')
  await dialog.getByRole('button', { name: 'Add role' }).click()
  await dialog.getByText('2 of 3 done.').waitFor()
  expect(await dialog.locator('li').allTextContents()).toEqual([expect.stringContaining('Bulky Bix')])
  await dialog.getByRole('button', { name: 'Close' }).last().click()
  const [role] = await server.client.listUserRoles({ params: { userId: ids[0] ?? '' } })
  expect(role?.name).toBe('Tester')

  await page.getByRole('button', { name: 'Choose none' }).click()
  await page.getByLabel('Choose Bulky Bea').check()
  await page.getByLabel('Choose Bulky Ben').check()

  // no answer comes to the first one: the second one is not asked for; then it is stopped before the second one
  const held = Promise.withResolvers<void>()
  const asked: string[] = []
  await page.route('**/api/users/*/is-suspended', async (route) => {
    asked.push(route.request().url().split('/').at(-2) ?? '')
    if (asked.length === 1) return route.abort()
    if (asked.length === 2) await held.promise
    return route.continue()
  })
  await chosen.getByRole('button', { name: 'Suspend' }).click()
  await dialog.getByRole('button', { name: 'Suspend' }).click()
  await dialog.getByText('0 of 2 done.').waitFor()
  expect(await dialog.locator('li').allTextContents()).toEqual([expect.stringContaining('whether it was done')])
  await dialog.getByRole('button', { name: 'Try again' }).click()
  await dialog.getByRole('button', { name: 'Stop' }).click()
  held.resolve()
  await dialog.getByText('1 of 2 done.').waitFor()
  await dialog.getByRole('button', { name: 'Try again' }).click()
  await dialog.getByText('2 of 2 done.').waitFor()
  expect([asked[0], asked.length, new Set(asked).size]).toEqual([asked[1], 3, 2])
  await dialog.getByRole('button', { name: 'Close' }).last().click()
  await page.unroute('**/api/users/*/is-suspended')
  await page.getByLabel('Choose Bulky Bea').check()
  await page.getByLabel('Choose Bulky Ben').check()
  await chosen.getByRole('button', { name: 'Delete' }).click()
  const remove = dialog.getByRole('button', { name: 'Delete' })
  expect(await remove.isDisabled()).toBe(true)
  await dialog.getByLabel('To confirm, type 2').fill('2')
  await remove.click()
  await dialog.getByText('2 of 2 done.').waitFor()
  await dialog.getByRole('button', { name: 'Close' }).last().click()
  await page.getByText('Nothing matches').waitFor()
  complaints.splice(0, complaints.length, ...complaints.filter((each) => !/status of 4|ERR_FAILED/.test(each)))
})

test('a role gets permissions and members, in its screen and in the matrix of the API', async () => {
  await roleScreens({ server, page, open })
})

test('a token is explained, with the role that gives a permission', async () => {
  await explainScreen({ server, page, open })
})

test('an organization gets a role, a member, an invitation and a domain', async () => {
  await organizationScreens({ server, page, open })
})

test('one user: profile, own fields, organizations, tokens, accounts and factors; many from a file, once each', async () => {
  await userScreens({ server, page, open })
  await importScreen({ server, page, open })
  await actAsScreen({ server, page, open })
  complaints.splice(0, complaints.length, ...complaints.filter((each) => !/status of 4|ERR_FAILED/.test(each)))
})

test('errors of the Management API are said at their fields, in the language of the console', async () => {
  await errorScreens({ server, page, open })
  complaints.splice(0, complaints.length, ...complaints.filter((each) => !/status of 4|ERR_FAILED/.test(each)))
})

test('connectors: a test message says what is wrong, a provider is offered, a company completed', async () => {
  const create = page.getByRole('button', { name: 'Create connector' })
  await open('/connectors')
  await page.getByText('users cannot get codes or links by email').waitFor()
  await page.getByRole('link', { name: 'Set up' }).first().click()
  await page.getByRole('link', { name: 'SMTP' }).click()
  await create.click()
  await page.getByText('This is required.').first().waitFor()
  await page.getByLabel('Host', { exact: true }).fill('127.0.0.1')
  await page.getByLabel('Port', { exact: true }).fill('70000')
  await page.getByLabel('From email').fill('no-reply@example.com')
  await create.click()
  await page.getByText('65535').waitFor()
  await page.getByLabel('Port', { exact: true }).fill(String(await freePort()))
  await create.click()
  await page.getByLabel('Send to email address').fill('me@example.com')
  await page.getByRole('button', { name: 'Send test message' }).click()
  await page.getByText('whether a firewall between').waitFor()
  await page.getByRole('button', { name: 'Delete connector' }).click()
  await page.getByRole('dialog').getByRole('textbox').fill('SMTP')
  await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click()
  await page.waitForURL(/connectors$/)
  expect(await server.client.listConnectors()).toEqual([])

  await open('/connectors/new?kind=Social&service=google-universal')
  await page.getByLabel('Client id').fill('an-id')
  await page.getByLabel('Client secret').fill('a-secret')
  await create.click()
  await page.getByRole('switch', { name: 'Offer on the sign-in page' }).click()
  const [google] = await server.client.listConnectors()
  await page.getByText(`${server.baseUrl}/callback/${google?.id}`).waitFor()
  expect(google?.config).toEqual({ clientId: 'an-id', clientSecret: 'a-secret' })
  const offered = async () => (await server.client.getSignInExperience()).socialSignInConnectorTargets
  await expect.poll(offered).toEqual(['google'])

  await open('/connectors/new?kind=Sso&service=OIDC')
  await page.getByLabel('Name', { exact: true }).first().fill('Acme <b>')
  await page.getByLabel('Email domains').fill('gmail.com')
  await create.click()
  await page.locator('form').getByText('Everyone can have an address there').waitFor()
  await page.getByLabel('Email domains').fill('acme.example')
  await create.click()
  await page.getByText('Incomplete', { exact: true }).waitFor()
  await page.getByLabel('Issuer').fill('https://id.acme.example')
  await page.getByLabel('Client id').fill('an-id')
  await page.getByLabel('Client secret').fill('a-secret')
  await page.getByRole('button', { name: 'Save changes' }).click()
  await page.getByText('Complete', { exact: true }).waitFor()
  const [company] = await server.client.listSsoConnectors()
  expect([company?.connectorName, company?.domains, company?.isComplete]).toEqual(['Acme <b>', ['acme.example'], true])
  complaints.splice(0, complaints.length, ...complaints.filter((each) => !/status of 4/.test(each)))
})

test('a claims script is tested with sample data, saved, and refused where it has no function', async () => {
  await open('/claims?token=client-credentials')
  const write = async (text: string) => {
    await page.getByRole('textbox', { name: 'Script' }).click()
    await page.keyboard.press('Control+A')
    await page.keyboard.insertText(text)
  }
  const script =
    "const getCustomJwtClaims = async ({ context: { application } }) => {\n  console.log('seen')\n  return { app: application.name, sub: 'other' }\n}"
  await write(script)
  const run = page.getByRole('button', { name: 'Run' })
  await page.getByLabel('Context').fill('no object')
  await run.click()
  await page.getByText('This has to be a JSON object.').waitFor()
  await page.getByLabel('Context').fill('{"application":{"name":"Till"}}')
  await run.click()
  await page.locator('pre', { hasText: '"app": "Till"' }).waitFor()
  await page.locator('pre', { hasText: 'info: seen' }).waitFor()
  const dropped = page.getByRole('list', { name: 'Dropped:' })
  await dropped.getByRole('listitem').filter({ hasText: 'sub' }).getByText('No script may set it.').waitFor()
  await page.getByRole('button', { name: 'Save changes' }).click()
  await page.getByRole('button', { name: 'Delete script' }).waitFor()
  const stored = () => server.client.getJwtCustomizer({ params: { tokenTypePath: 'client-credentials' } })
  expect(await stored()).toMatchObject({ script, contextSample: { application: { name: 'Till' } } })
  await write('nothing')
  await page.getByRole('button', { name: 'Save changes' }).click()
  await page.getByRole('alert').waitFor()
  expect((await stored()).script).toBe(script)
  await page.getByRole('button', { name: 'Discard' }).click()
  await page.getByText('application.name').waitFor()
  const newer = 'const getCustomJwtClaims = () => ({})'
  await write(newer)
  await page.getByRole('button', { name: 'Save changes' }).click()
  await expect.poll(async () => (await stored()).script).toBe(newer)
  await page.getByRole('listitem').filter({ hasText: 'Version 1' }).getByRole('button', { name: 'Compare' }).click()
  await page.locator('pre', { hasText: `− ${newer}` }).waitFor()
  await page.getByRole('button', { name: 'Go back to this version' }).click()
  await expect.poll(async () => (await stored()).script).toBe(script)
  // with what it would get for a real user
  await server.client.createResource({ body: { name: 'Tills', indicator: 'https://tills.example' } })
  await server.client.createApplication({ body: { name: 'Till', type: 'SPA' } })
  await open('/claims')
  await write('const getCustomJwtClaims = ({ context: { user } }) => ({ who: user.username, gone: undefined })')
  await page.getByLabel('Data', { exact: true }).selectOption('A user at an application')
  expect(await run.isDisabled()).toBe(true)
  const choose = async (what: string, name: string) => {
    await page.getByRole('button', { name: `${what}: Choose…` }).click()
    await page.getByRole('dialog').getByRole('searchbox').fill(name)
    await page.getByRole('dialog').getByRole('button', { name }).first().click()
  }
  await choose('User', 'grace')
  await choose('Application', 'Till')
  await page.getByLabel('API', { exact: true }).selectOption('https://tills.example')
  await run.click()
  await page.locator('pre', { hasText: '"who": "grace"' }).first().waitFor()
  await page.locator('pre', { hasText: '"aud": "https://tills.example"' }).waitFor()
  await dropped.getByText('Its value has no JSON.').waitFor()
  await page.getByText('KiB of memory').waitFor()
  expect(await accessibilityViolations(page)).toEqual([])
  await page.getByRole('button', { name: 'Discard' }).click()
  // a browser keeps the style of text that is typed over by a style attribute, which the policy refuses: the editor has its own
  complaints.splice(0, complaints.length, ...complaints.filter((each) => !/status of 4|inline style/.test(each)))
})

test('what needs attention is said; keys are rotated, and an old one deleted after a fresh sign-in', async () => {
  await healthScreen({ server, page, open })
  complaints.splice(0, complaints.length, ...complaints.filter((each) => !/status of 4/.test(each)))
})

test('who may register applications is set, with a token that is shown once; what is refused is said', async () => {
  await registrationScreen({ server, page, open })
  complaints.splice(0, complaints.length, ...complaints.filter((each) => !/status of 4/.test(each)))
})

test('the palette leads everywhere by the keyboard', async () => {
  await open('/')
  await page.keyboard.press('Control+k')
  await page.getByRole('combobox').pressSequentially('zo')
  await page.getByRole('option', { name: 'Zoe' }).waitFor()
  await page.keyboard.press('Enter')
  await page.getByRole('heading', { name: 'Zoe' }).waitFor()
})

test('no screen breaks an accessibility rule, light or dark, scrolls sideways on a phone, or reports a problem', async () => {
  const [application] = await server.client.listApplications({ query: { search: '%portal' } })
  const [user] = await server.client.listUsers({ query: { search: 'ada' } })
  const api = (await server.client.listResources()).find(({ indicator }) => indicator === 'https://orders.example')
  const [hook] = await server.client.listHooks()
  const [role] = await server.client.listRoles()
  const [organization] = await server.client.listOrganizations()
  const [organizationRole] = await server.client.listOrganizationRoles()
  const [google] = await server.client.listConnectors()
  const [company] = await server.client.listSsoConnectors()
  const paths = [
    ...(await applicationPaths(server)),
    ...(await directoryPaths(server)),
    ...[
      '/connectors',
      '/connectors/messages',
      '/connectors/new?kind=Social',
      '/connectors/new?kind=Email&service=simple-mail-transfer-protocol',
    ],
    ...[`/connectors/${google?.id}`, `/connectors/sso/${company?.id}`, '/claims?token=client-credentials'],
    ...['/webhooks', '/webhooks/new', '/webhooks/events?event=User.Created', '/webhooks/feed', '/webhooks/signals'],
    ...['deliveries', 'settings', 'signing'].map((tab) => `/webhooks/${hook?.id}?tab=${tab}`),
    ...[
      '/',
      '/applications',
      '/applications/new',
      '/applications/registration',
      '/applications/documents',
      '/users',
      '/users/import',
      '/log?key=ManagementApi.createUser',
      '/settings',
    ],
    ...['/health', '/health?tab=keys', '/health?tab=file'],
    ...['/apis', '/roles', '/organizations', '/organizations/template'],
    `/organizations/roles/${organizationRole?.id}`,
    `/explain?user=${user?.id}&application=${application?.id}&resource=https://orders.example`,
    ...['permissions', 'members'].map((tab) => `/roles/${role?.id}?tab=${tab}`),
    ...['members', 'provisioning', 'settings'].map((tab) => `/organizations/${organization?.id}?tab=${tab}`),
    ...['permissions', 'roles', 'settings'].map((tab) => `/apis/${api?.id}?tab=${tab}`),
    ...['start', 'settings'].map((tab) => `/applications/${application?.id}?tab=${tab}`),
    ...['look', 'methods', 'fields', 'security', 'account', 'phrases'].map((tab) => `/sign-in-experience?tab=${tab}`),
    ...['profile', 'access', 'security', 'activity'].map((tab) => `/users/${user?.id}?tab=${tab}`),
  ]
  await page.setViewportSize({ width: 390, height: 844 })
  const wrong: Record<string, unknown> = {}
  await open('/')
  for (const path of paths) {
    await follow(page, path)
    await settle(page)
    if ((await horizontalOverflow(page)) > 0) wrong[path] = 'scrolls sideways'
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' })
      const violations = await accessibilityViolations(page)
      if (violations.length > 0) wrong[`${path} ${colorScheme}`] = violations
    }
  }
  await page.setViewportSize({ width: 1280, height: 800 })
  expect(wrong).toEqual({})
  expect(complaints).toEqual([])
})

test('a user becomes an administrator, after a fresh sign-in where the last one is long ago', async () => {
  server.clock.advance(700)
  await open('/settings')
  await page.getByRole('button', { name: 'Add administrator' }).click()
  await page.getByRole('dialog').getByLabel('Search by name, email, phone or id').fill('zoe')
  await page.getByRole('dialog').getByRole('button', { name: 'Zoe' }).click()
  await page.getByRole('dialog').getByLabel('Support').check()
  await page.getByRole('button', { name: 'Save changes' }).click()
  await page.getByRole('dialog', { name: 'Confirm that it is you' }).getByRole('button', { name: 'Continue' }).click()
  await signIn(page, 'grace')
  await page.getByRole('button', { name: 'Add administrator' }).click()
  await page.getByRole('dialog').getByLabel('Search by name, email, phone or id').fill('zoe')
  await page.getByRole('dialog').getByRole('button', { name: 'Zoe' }).click()
  await page.getByRole('dialog').getByLabel('Support').check()
  await page.getByRole('button', { name: 'Save changes' }).click()
  await page.getByRole('button', { name: 'Change roles: Zoe' }).waitFor()
  const { rows } = (await server.client.listAdministrators.pages().next()).value ?? { rows: [] }
  expect(rows.map(({ username, roleIds }) => [username, roleIds])).toContainEqual(['zoe', ['support']])
  await administratorRoles({ server, page })
  complaints.splice(0, complaints.length, ...complaints.filter((each) => !/status of 4/.test(each)))
})

/** What a form lets change; a search is in no form. */
const EDITABLE = ['input', 'textarea', 'select', '[role=switch]']
  .map((each) => `#content form ${each}:not([readonly], [disabled], [data-disabled], [aria-hidden=true])`)
  .join(', ')

test('what a role may not do is not shown', async () => {
  await createAdministrator(server, 'auditor1', 'auditor')
  const other = await (await browser.newContext({ locale: 'en-US' })).newPage()
  await other.goto(`${server.baseUrl}/console/users`)
  await signIn(other, 'auditor1')
  await other.locator('tbody tr').first().waitFor()
  expect(await other.getByRole('button', { name: 'Create user' }).count()).toBe(0)
  await other.getByRole('link', { name: 'Zoe' }).click()
  await other.getByRole('heading', { name: 'Zoe' }).waitFor()
  const forbidden = other.getByRole('button', { name: /Suspend|Delete|Save|Create|Add|Remove|Change|Invite|Edit/ })
  expect(await forbidden.count()).toBe(0)
  const [role] = await server.client.listRoles({ query: { search: 'Seller%' } })
  const [organization] = await server.client.listOrganizations()
  for (const path of [
    ...['/apis', '/roles', '/organizations', '/organizations/template'],
    ...['permissions', 'members', 'settings'].map((tab) => `/roles/${role?.id}?tab=${tab}`),
    ...['members', 'invitations', 'provisioning', 'settings'].map(
      (tab) => `/organizations/${organization?.id}?tab=${tab}`,
    ),
    ...(await applicationPaths(server)),
    // an entry of the log is a button that may be named after a deletion
    ...(await directoryPaths(server)).filter((path) => !path.endsWith('tab=activity')),
    '/sign-in-experience',
  ]) {
    await follow(other, path)
    await settle(other)
    expect([path, await forbidden.allTextContents()]).toEqual([path, []])
    expect([path, await other.locator(EDITABLE).count()]).toEqual([path, 0])
  }
  await other.context().close()
})

test('every role sees what it may do, and the API refuses the rest', async () => {
  await open('/')
  await roleTable(server, browser, page)
})

test('a screen shows itself as lines of a tenant file', async () => {
  await applyLines(server, open, page)
})

test('the end of the session in the middle of a form loses nothing that was typed', async () => {
  const [user] = await server.client.listUsers({ query: { search: 'zoe' } })
  const [grace] = await server.client.listUsers({ query: { search: 'grace' } })
  await open(`/users/${user?.id}`)
  await page.getByLabel('Name', { exact: true }).fill('Zoe of Thrace')
  const { sessions } = await server.client.listUserSessions({ params: { userId: grace?.id ?? '' } })
  for (const { payload } of sessions)
    await server.client.endUserSession({ params: { userId: grace?.id ?? '', sessionId: payload.jti } })
  await page.getByRole('button', { name: 'Save changes' }).click()
  const dialog = page.getByRole('dialog', { name: 'Your session has ended' })
  await dialog.getByRole('button', { name: 'Sign in' }).click()
  await signIn(page, 'grace')
  expect(await page.getByLabel('Name', { exact: true }).inputValue()).toBe('Zoe of Thrace')
  await page.getByRole('button', { name: 'Save changes' }).click()
  await page.getByRole('heading', { name: 'Zoe of Thrace' }).waitFor()
  expect((await server.client.getUser({ params: { userId: user?.id ?? '' } })).name).toBe('Zoe of Thrace')
})

test('at an admin host an administrator signs in at the base URL, and the token is renewed without a page', async () => {
  const port = await freePort()
  const origin = `http://localhost:${port}`
  const apart = await startTestServer(inject('cluster'), { CONSOLE: origin })
  // the same server at the port of the admin host, as a proxy would have it
  const node = await apart.startNode({ PORT: String(port), CONSOLE: origin })
  await createAdministrator(apart, 'ida', 'owner')
  const context = await browser.newContext({ locale: 'en-US' })
  const own = await context.newPage()
  const seen = complaintsOf(own)
  await own.goto(`${origin}/console/users`)
  await own.waitForSelector('#identifier')
  expect(new URL(own.url()).origin).toBe(apart.baseUrl)
  await signIn(own, 'ida')
  expect(own.url()).toBe(`${origin}/console/users`)
  await own.getByRole('link', { name: 'ida' }).waitFor()
  const left: string[] = []
  own.on('framenavigated', (frame) => left.push(frame.url()))
  await own.reload()
  await own.getByRole('link', { name: 'ida' }).waitFor()
  expect(left.filter((address) => !address.startsWith(origin))).toEqual([])
  expect(seen).toEqual([])
  await context.close()
  await node.close()
  await apart.close()
})

test('a lost connection loses nothing that was typed, and sends nothing twice', async () => {
  await connectionScreens({ server, page, open })
})

test('on a very slow network every screen says that it is loading, nothing is sent twice, and a timeout is told', async () => {
  const own = await page.context().newPage()
  await slowScreens({ server, page: own, open: (path) => open(path, own) })
  await own.close()
})

test('of two administrators who change the same thing, the second one is told', async () => {
  // her sign-in is newer than what others have done by then: the log shows the newest entries first
  server.clock.advance(1)
  await createAdministrator(server, 'hedy', 'owner')
  const other = await (await browser.newContext({ locale: 'en-US' })).newPage()
  await other.goto(`${server.baseUrl}/console`)
  await signIn(other, 'hedy')
  await conflictScreens({ server, page, other })
  await open('/log')
  await page.getByText('hedy · Console').first().waitFor()
  await other.context().close()
})

test('another administrator in the same browser neither acts for the first one nor finds what they typed', async () => {
  const [user] = await server.client.listUsers({ query: { search: 'zoe' } })
  const leave = async (where: Page, name: string) => {
    await where.getByRole('button', { name, exact: true }).click()
    await where.getByRole('menuitem', { name: 'Sign out' }).click()
    await where.waitForSelector('#identifier')
  }
  await open(`/users/${user?.id}`)
  await page.getByLabel('Name', { exact: true }).fill('Half a name')
  const other = await page.context().newPage()
  await open('/', other)
  await leave(other, 'grace')
  await signIn(other, 'hedy')
  await page.getByRole('button', { name: 'Save changes' }).click()
  const dialog = page.getByRole('dialog', { name: 'Your session has ended' })
  await dialog.getByRole('button', { name: 'Sign in' }).click()
  await page.getByRole('button', { name: 'hedy', exact: true }).waitFor()
  expect(await page.getByLabel('Name', { exact: true }).inputValue()).toBe('Zoe of Thrace')
  expect((await server.client.getUser({ params: { userId: user?.id ?? '' } })).name).toBe('Zoe of Thrace')
  expect(
    await page.evaluate(() => Object.keys(sessionStorage).filter((key) => key.startsWith('console.draft.'))),
  ).toEqual([])
})
