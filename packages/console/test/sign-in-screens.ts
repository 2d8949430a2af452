/** The main paths of the screen for the sign-in experience; console-browser.test.ts runs them in turn. */
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

export const settingsScreens = async ({ server, page, open }: Opened): Promise<void> => {
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
  await page.getByText('Saved', { exact: true }).first().waitFor()
  const after = await client.getSignInExperience()
  const changed = Object.entries(after).filter(
    ([name, value]) => JSON.stringify(value) !== JSON.stringify(before[name as keyof typeof before]),
  )
  expect(Object.fromEntries(changed)).toEqual({
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
}

export const phraseScreens = async ({ server, page, open }: Opened): Promise<void> => {
  await open('/sign-in-experience?tab=phrases&language=nl')
  await page.getByLabel('Search by key or text').fill('inloggen')
  await page.getByLabel('signIn', { exact: true }).fill('Kom <b>binnen</b>')
  await page.getByRole('button', { name: 'Save changes' }).click()
  await page.getByRole('alert').waitFor()
  await page.getByLabel('signIn', { exact: true }).fill('Kom binnen')
  await page.getByRole('button', { name: 'Save changes' }).click()
  await page.getByText('Saved', { exact: true }).first().waitFor()
  const [own] = await server.client.listCustomPhrases()
  expect(own).toMatchObject({ languageTag: 'nl', translation: { signIn: 'Kom binnen' } })
  await expect.poll(() => previewed(page, '#submit')).toBe('Kom binnen')
  await page.getByLabel('Search by key or text').fill('')
  await page.getByRole('switch', { name: 'Only your own' }).click()
  await page.getByRole('button', { name: 'Give back the original: signIn' }).click()
  await page.getByRole('button', { name: 'Save changes' }).click()
  await expect.poll(() => previewed(page, '#submit')).toBe('Inloggen')
}
