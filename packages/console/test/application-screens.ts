/** The main paths of one application's screens; console-browser.test.ts runs them in turn. */
import type { TestServer } from '@countersign/harness/server.ts'
import type { Page } from 'playwright-core'
import { expect } from 'vitest'

/** The console that is open. */
interface Opened {
  readonly server: TestServer
  readonly page: Page
  readonly open: (path: string) => Promise<unknown>
}

export const applicationSettings = async ({ server, page, open }: Opened): Promise<void> => {
  const { id } = await server.client.createApplication({ body: { name: 'Backend', type: 'Traditional' } })
  const stored = () => server.client.getApplication({ params: { id } })
  const card = (title: string) => page.locator('section').filter({ has: page.getByRole('heading', { name: title }) })
  const save = (title: string) => card(title).getByRole('button', { name: 'Save changes' }).click()

  /** Discard is there until the stored values are shown again. */
  const saved = async (title: string) => {
    await save(title)
    await card(title).getByRole('button', { name: 'Discard' }).waitFor({ state: 'detached' })
  }

  await open(`/applications/${id}?tab=settings`)
  const logout = page.getByLabel('Back-channel logout URI')
  await logout.fill('ftp://app.example')
  await save('Back-channel logout')
  await page.locator('form').getByText('backchannelLogoutUri').waitFor()
  await logout.fill('https://app.example/logout')
  await save('Back-channel logout')
  await expect
    .poll(stored)
    .toMatchObject({ oidcClientMetadata: { backchannelLogoutUri: 'https://app.example/logout' } })
  await logout.fill('')
  await save('Back-channel logout')
  await expect.poll(async () => (await stored()).oidcClientMetadata).not.toHaveProperty('backchannelLogoutUri')
  await page.getByLabel('JSON').fill('[]')
  await save('Custom data')
  await page.getByText('This has to be a JSON object.').waitFor()
  await page.getByLabel('JSON').fill('{"team":"<b>"}')
  await save('Custom data')
  await expect.poll(stored).toMatchObject({ customData: { team: '<b>' } })

  await page.getByRole('tab', { name: 'Credentials' }).click()
  await page.getByLabel('Method').selectOption('Private key (JWT)')
  await page.getByLabel('Public keys').fill('{"kty":"EC","crv":"P-256","d":"secret"}')
  await save('Authentication')
  await page.locator('form').getByText('contains a private key').waitFor()
  const { publicKey } = await crypto.subtle.generateKey({ name: 'ECDSA', namedCurve: 'P-256' }, true, ['sign'])
  await page.getByLabel('Public keys').fill(JSON.stringify(await crypto.subtle.exportKey('jwk', publicKey)))
  await save('Authentication')
  await expect
    .poll(stored)
    .toMatchObject({ customClientMetadata: { tokenEndpointAuthMethod: 'private_key_jwt', jwks: { keys: [{}] } } })

  await page.getByRole('tab', { name: 'Tokens' }).click()
  await page.getByRole('switch', { name: 'Allow token exchange' }).click()
  await page.getByLabel('Takes tokens for').first().selectOption('Only these')
  await card('Token exchange').getByLabel('https://orders.example').check()
  await saved('Token exchange')
  await page.getByLabel('May introspect tokens for').first().selectOption('Every API: all tokens of this tenant')
  await saved('Introspection')
  await page.getByLabel('Devices per user').fill('2')
  await saved('Tokens')
  await expect
    .poll(async () => (await stored()).customClientMetadata)
    .toMatchObject({
      tokenEndpointAuthMethod: 'private_key_jwt',
      allowTokenExchange: true,
      exchangeSubjectAudiences: ['https://orders.example'],
      dangerouslyIntrospectAllTokens: true,
      maxAllowedGrants: 2,
    })

  await page.getByRole('tab', { name: 'Branding' }).click()
  await page.getByLabel('Accent', { exact: true }).fill('blue')
  await page.getByText('Write it as #2f4fd0.').waitFor()
  await page.getByLabel('Accent', { exact: true }).fill('#a3221b')
  const shade = () =>
    page.locator('iframe').evaluate((element) => {
      const button = (element as HTMLIFrameElement).contentDocument?.querySelector('#submit')
      return button ? getComputedStyle(button).backgroundColor : ''
    })
  await expect.poll(shade).toBe('rgb(163, 34, 27)')
  await page.getByLabel('Terms of use').fill('javascript:alert(1)')
  await save('On the sign-in pages')
  await page.locator('form').getByText('termsOfUseUrl').waitFor()
  await page.getByLabel('Terms of use').fill('https://app.example/terms')
  await save('On the sign-in pages')
  await expect
    .poll(() => server.client.getApplicationSignInExperience({ params: { applicationId: id } }).catch(() => undefined))
    .toMatchObject({ color: { primaryColor: '#a3221b' }, termsOfUseUrl: 'https://app.example/terms' })
}
