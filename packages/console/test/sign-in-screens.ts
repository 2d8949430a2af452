/** The main paths of the screen for the sign-in experience; console-browser.test.ts runs them in turn. */
import { accessibilityViolations } from '@countersign/harness/browser.ts'
import type { TestServer } from '@countersign/harness/server.ts'
import type { Page } from 'playwright-core'
import { expect } from 'vitest'

/** The console that is open. */
interface Opened {
  readonly server: TestServer
  readonly page: Page
  readonly open: (path: string) => Promise<unknown>
}

/** What an element of the previewed page says; empty while it is not there. */
const previewed = (page: Page, selector: string) =>
  page
    .locator('iframe')
    .evaluate(
      (frame, sought) => (frame as HTMLIFrameElement).contentDocument?.querySelector(sought)?.textContent ?? '',
      selector,
    )

const settingsScreens = async ({ server, page, open }: Opened): Promise<void> => {
  const { client } = server
  const before = await client.getSignInExperience()
  await open('/sign-in-experience?tab=security')
  await page.getByRole('switch', { name: 'Trusted devices' }).click()
  await page.getByLabel('Attempts per code').fill('5')
  await page.getByLabel('Blocked addresses and domains').fill('@spam.example')
  await page.getByLabel('New backup codes').uncheck()
  await page.getByRole('tab', { name: 'Methods' }).click()
  await page.getByLabel('Longest username').fill('40')
  await page.getByRole('combobox', { name: 'Phone', exact: true }).selectOption('Asked for')
  await page.getByRole('button', { name: 'Save changes' }).click()
  const changed = async () =>
    Object.fromEntries(
      Object.entries(await client.getSignInExperience()).filter(
        ([name, value]) => JSON.stringify(value) !== JSON.stringify(before[name as keyof typeof before]),
      ),
    )
  await expect.poll(changed).toEqual({
    trustedDevice: { ...before.trustedDevice, enabled: true },
    verificationCodePolicy: { ...before.verificationCodePolicy, maxRetryAttempts: 5 },
    emailBlocklistPolicy: expect.objectContaining({ customBlocklist: ['@spam.example'] }),
    ownerNotices: { ...before.ownerNotices, kinds: expect.not.arrayContaining(['backupCodesCreated']) },
    usernamePolicy: { ...before.usernamePolicy, maxLength: 40 },
    signUp: { ...before.signUp, secondaryIdentifiers: [{ identifier: 'phone', verify: false }] },
  })

  await page.getByRole('tab', { name: 'Look' }).click()
  await page.getByRole('textbox', { name: 'Style sheet' }).fill('#submit { background: rgb(1, 2, 3) !important }')
  const shade = () =>
    page.locator('iframe').evaluate((frame) => {
      const button = (frame as HTMLIFrameElement).contentDocument?.querySelector('#submit')
      return button ? getComputedStyle(button).backgroundColor : ''
    })
  await expect.poll(shade).toBe('rgb(1, 2, 3)')
  await page.getByRole('button', { name: 'Discard' }).click()
  await expect.poll(shade).not.toBe('rgb(1, 2, 3)')
  const { signUp, usernamePolicy, emailBlocklistPolicy } = before
  await client.updateSignInExperience({
    body: { signUp: { ...signUp, secondaryIdentifiers: [] }, usernamePolicy, emailBlocklistPolicy },
  })
}

/** A user signs in to an application, and the console shows what the application gets. */
const trialScreens = async ({ server, page, open }: Opened): Promise<void> => {
  const { client } = server
  const { id } = await client.createApplication({
    body: {
      name: 'Tried',
      type: 'SPA',
      oidcClientMetadata: { redirectUris: ['https://tried.example/'], postLogoutRedirectUris: [] },
    },
  })
  const addresses = async () => (await client.getApplication({ params: { id } })).oidcClientMetadata.redirectUris
  const username = 'tried'
  const password = 'a long enough phrase'
  await client.createUser({ body: { username, password } })
  await open('/sign-in-experience')
  await page.getByRole('button', { name: 'Try it' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Application').selectOption('Tried')
  await dialog.getByRole('button', { name: 'Prepare the sign-in' }).click()
  const link = (await dialog.getByRole('link', { name: 'Open in a new window' }).getAttribute('href')) ?? ''
  expect(await addresses()).toEqual(['https://tried.example/', `${server.baseUrl}/console/try`])
  // as in a private window: the session of the console is another one
  const other = await (await page.context().browser()?.newContext({ locale: 'en-US' }))?.newPage()
  if (!other) throw new Error('the browser is gone')
  await other.goto(link)
  await other.fill('#identifier', username)
  await other.fill('#password', password)
  await other.keyboard.press('Enter')
  await other.getByRole('heading', { name: 'ID token' }).waitFor()
  expect(await other.getByRole('list', { name: 'Granted scopes' }).allTextContents()).toEqual(['openidprofileemail'])
  await other.getByText('Who issued it.').first().waitFor()
  expect(
    await other.evaluate(() => JSON.stringify({ ...localStorage, ...sessionStorage }) + location.href),
  ).not.toMatch(/eyJ|code=/)
  expect(await accessibilityViolations(other)).toEqual([])
  // an answer that was not asked for here is not redeemed
  await other.goto(`${server.baseUrl}/console/try?code=stolen&state=none`)
  await other.getByRole('alert').getByText('was not begun here').waitFor()
  await other.context().close()
  await dialog.getByRole('button', { name: 'Finish' }).click()
  await expect.poll(addresses).toEqual(['https://tried.example/'])
}

const phraseScreens = async ({ server, page, open }: Opened): Promise<void> => {
  await open('/sign-in-experience?tab=phrases&language=nl')
  await page.getByLabel('Search by key or text').fill('inloggen')
  await page.getByLabel('signIn', { exact: true }).fill('Kom <b>binnen</b>')
  await page.getByRole('button', { name: 'Save changes' }).click()
  await page.getByRole('alert').waitFor()
  await page.getByLabel('signIn', { exact: true }).fill('Kom binnen')
  await page.getByRole('button', { name: 'Save changes' }).click()
  const own = async () => (await server.client.listCustomPhrases())[0]
  await expect.poll(own).toMatchObject({ languageTag: 'nl', translation: { signIn: 'Kom binnen' } })
  await expect.poll(() => previewed(page, '#submit')).toBe('Kom binnen')
  await page.getByLabel('Search by key or text').fill('')
  await page.getByRole('switch', { name: 'Only your own' }).click()
  await page.getByRole('button', { name: 'Give back the original: signIn' }).click()
  await page.getByRole('button', { name: 'Save changes' }).click()
  await expect.poll(() => previewed(page, '#submit')).toBe('Inloggen')
}

/** A mail in the operator's own words, and the keys of a SAML connector, one of which takes the place of another. */
const messageScreens = async ({ server, page, open }: Opened): Promise<void> => {
  const { client } = server
  await open('/connectors/messages')
  await page.getByLabel('Subject').fill('{{code}} "><img> {{nothing}}')
  await page.getByLabel('Format').selectOption('Plain text')
  await page.getByLabel('Content').fill('Take {{code}}.')
  await page.getByText('No message fills these in: nothing').waitFor()
  await page.locator('pre', { hasText: /^Take \d+\.$/ }).waitFor()
  await page.getByRole('button', { name: 'Save changes' }).click()
  await page.getByText('Your own', { exact: true }).waitFor()
  expect(await client.listEmailTemplates()).toMatchObject([
    { languageTag: 'en', templateType: 'SignIn', details: { content: 'Take {{code}}.', contentType: 'text/plain' } },
  ])
  await page.getByRole('button', { name: 'Use the built-in text' }).click()
  await page.getByText('Built-in text', { exact: true }).waitFor()
  expect(await client.listEmailTemplates()).toEqual([])

  const sms = await client.createConnector({
    body: { connectorId: 'http-sms', config: { endpoint: 'https://texts.example/' } },
  })
  const texts = async () => (await client.getConnector({ params: { id: sms.id } })).config
  await open('/connectors/messages?tab=text&language=de')
  await page.locator('pre', { hasText: /^123456 / }).waitFor()
  await page.getByLabel('Content').fill('<b> {{code}} {{nothing}} ж')
  await page.getByText('No message fills these in: nothing').waitFor()
  await page.locator('pre', { hasText: '<b> 123456  ж' }).waitFor()
  await page.getByText('70 characters in place of 160').waitFor()
  expect(await accessibilityViolations(page)).toEqual([])
  await page.getByRole('button', { name: 'Save changes' }).click()
  await page.getByText('Your own', { exact: true }).waitFor()
  expect(await texts()).toEqual({
    endpoint: 'https://texts.example/',
    templates: [{ usageType: 'SignIn', content: '<b> {{code}} {{nothing}} ж' }],
  })
  await page.getByLabel('Content').fill('')
  await page.getByRole('button', { name: 'Save changes' }).click()
  await page.getByText('Built-in text', { exact: true }).waitFor()
  expect(await texts()).toMatchObject({ templates: [] })
  await client.deleteConnector({ params: { id: sms.id } })

  const { id } = await client.createSsoConnector({ body: { providerName: 'SAML', connectorName: 'By SAML' } })
  await open(`/connectors/sso/${id}`)
  await page.getByRole('button', { name: 'Check the provider' }).click()
  await page.getByText('the configuration is not complete').last().waitFor()
  const keys = page.getByRole('list', { name: 'Keys' }).getByRole('listitem')
  const states = async () => (await client.listSsoSigningKeys({ params: { id } })).map(({ active }) => active).sort()
  const activeKey = async () => (await client.listSsoSigningKeys({ params: { id } })).find(({ active }) => active)?.id
  await page.getByRole('button', { name: 'Create key' }).click()
  await keys.first().getByRole('button', { name: 'Activate', exact: true }).click()
  await expect.poll(states).toEqual([true])
  // opened again each time: what is shown is what there is
  await open(`/connectors/sso/${id}`)
  const first = await activeKey()
  await page.getByRole('button', { name: 'Create key' }).click()
  await page.getByRole('button', { name: 'Activate', exact: true }).click()
  await expect.poll(activeKey).not.toBe(first)
  await open(`/connectors/sso/${id}`)
  await page.getByRole('button', { name: 'Delete key' }).click()
  expect(await states()).toHaveLength(2)
  await page.getByRole('dialog').getByRole('button', { name: 'Delete key' }).click()
  await expect.poll(states).toEqual([true])
  expect(await activeKey()).not.toBe(first)
  await client.deleteSsoConnector({ params: { id } })
}

const accountScreens = async ({ server, page, open }: Opened): Promise<void> => {
  const { client } = server
  const before = await client.getAccountCenter()
  await open('/sign-in-experience?tab=account')
  await page.getByRole('switch', { name: 'Account pages and Account API' }).click()
  await page.getByRole('combobox', { name: 'Picture' }).selectOption('Changed by users')
  await page.getByLabel('Profile fields that are shown').selectOption('Only some of them')
  await page.getByLabel('Days until a deleted account is gone').fill('7')
  await page.getByRole('button', { name: 'Save changes' }).click()
  await expect
    .poll(() => client.getAccountCenter())
    .toMatchObject({ enabled: true, fields: { avatar: 'Edit', name: 'Off' }, profileFields: [], deletionDelayDays: 7 })
  const { enabled, deletionDelayDays, profileFields } = before
  await client.updateAccountCenter({ body: { enabled, deletionDelayDays, profileFields } })

  await page.getByRole('tab', { name: 'Security' }).click()
  await page.getByRole('switch', { name: 'Captcha' }).click()
  await page.getByLabel('Provider').selectOption('Cloudflare Turnstile')
  await page.getByLabel('Site key').fill('0x4AAA')
  await page.getByLabel('Secret key').fill('0x4SECRET')
  await page.getByRole('button', { name: 'Save provider' }).click()
  await expect
    .poll(() =>
      client.getCaptchaProvider().then(
        ({ config }) => config,
        () => undefined,
      ),
    )
    .toEqual({ type: 'Turnstile', siteKey: '0x4AAA', secretKey: '0x4SECRET' })
  await open('/sign-in-experience?tab=security')
  await page.getByLabel('Provider').selectOption('None: proof of work')
  await page.getByRole('button', { name: 'Save provider' }).click()
  await expect.poll(() => client.getCaptchaProvider().catch(({ status }: { status: number }) => status)).toBe(404)
  await page.getByRole('button', { name: 'Discard' }).click()
}

/** Fields of profiles are defined, ordered, asked for and deleted, beside the page that asks for them. */
const fieldScreens = async ({ server, page, open }: Opened): Promise<void> => {
  const { client } = server
  const dialog = page.getByRole('dialog')
  const save = (name: string) => dialog.getByRole('button', { name }).click()
  const names = async () => (await client.listCustomProfileFields()).map(({ name }) => name)
  await open('/sign-in-experience?tab=fields')
  await page.getByRole('button', { name: 'Add field' }).click()
  await dialog.getByLabel('Name').fill('team <b>')
  await dialog.getByLabel('Type').selectOption('Choice')
  await dialog.getByLabel('Choices').fill('red | Red <b>\n\nblue')
  await save('Add field')
  await dialog.locator('[name=name][aria-invalid=true]').waitFor()
  await dialog.getByLabel('Name').fill('team')
  await save('Add field')
  await expect.poll(() => previewed(page, 'form')).toContain('Red <b>')
  expect(await client.listCustomProfileFields()).toMatchObject([
    { name: 'team', type: 'Select', config: { options: [{ value: 'red', label: 'Red <b>' }, { value: 'blue' }] } },
  ])
  const country = {
    name: 'country' as const,
    type: 'Select' as const,
    ...{ enabled: true, required: true, config: { options: [{ value: 'ch' }] } },
  }
  await client.createCustomProfileField({
    body: { name: 'address', type: 'Address', required: false, config: { parts: [country] } },
  })
  await open('/sign-in-experience?tab=fields')
  await page.getByRole('button', { name: 'Edit field: address' }).click()
  await dialog.getByLabel('City').selectOption('Optional')
  expect(await accessibilityViolations(page)).toEqual([])
  await save('Edit field')
  await dialog.waitFor({ state: 'detached' })
  const { config } = await client.getCustomProfileField({ params: { name: 'address' } })
  expect(config.parts?.filter(({ enabled }) => enabled)).toEqual([
    expect.objectContaining({ name: 'locality', type: 'Text', required: false }),
    country,
  ])
  await page.getByRole('button', { name: 'Move up: address' }).click()
  await expect.poll(names).toEqual(['address', 'team'])
  await page.getByLabel('New users are asked for').selectOption('Only some of them')
  await page.getByLabel('team', { exact: true }).uncheck()
  await expect.poll(() => previewed(page, 'form')).not.toContain('Red <b>')
  await page.getByRole('button', { name: 'Save changes' }).click()
  await expect.poll(async () => (await client.getSignInExperience()).signUpProfileFields).toEqual([{ name: 'address' }])
  // nothing asks for it or shows it
  await page.getByRole('button', { name: 'Delete field: team' }).click()
  await save('Delete')
  await expect.poll(names).toEqual(['address'])
  await page.getByRole('button', { name: 'Delete field: address' }).click()
  await dialog.getByRole('textbox').fill('address')
  await save('Delete')
  await expect.poll(names).toEqual([])
  await client.updateSignInExperience({ body: { signUpProfileFields: null } })
}

/** All of them, in turn. */
export const signInScreens = async (opened: Opened): Promise<void> => {
  await settingsScreens(opened)
  await accountScreens(opened)
  await fieldScreens(opened)
  await phraseScreens(opened)
  await trialScreens(opened)
  await messageScreens(opened)
}
