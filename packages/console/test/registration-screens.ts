/** The main path of the screen of registration; console-browser.test.ts runs it. */
import type { TestServer } from '@countersign/harness/server.ts'
import type { Page } from 'playwright-core'
import { expect } from 'vitest'

/** The console that is open. */
interface Opened {
  readonly server: TestServer
  readonly page: Page
  readonly open: (path: string) => Promise<unknown>
}

export const registrationScreen = async ({ server, page, open }: Opened): Promise<void> => {
  const card = (title: string) => page.locator('section').filter({ has: page.getByRole('heading', { name: title }) })
  const saved = async (title: string) => {
    await card(title).getByRole('button', { name: 'Save changes' }).click()
    await card(title).getByRole('button', { name: 'Discard' }).waitFor({ state: 'detached' })
  }
  const settings = () => server.client.getClientRegistration()

  await open('/applications')
  await page.getByRole('link', { name: 'Registration' }).click()
  await page.getByLabel('Registration is').selectOption('Open to holders of a token')
  await page.getByLabel('Delete unused ones after (days)').fill('')
  await saved('Who may register')
  expect(await settings()).toMatchObject({ mode: 'initial-access-token', unusedClientDays: null })

  await page.getByLabel('Hosts of redirect URIs').fill('app.example\n*.partner.example')
  await page.getByLabel('Permissions they may ask for').fill('https://nothing.example read')
  await page.getByLabel('Issuers of software statements').fill('{')
  await card('What they may be').getByRole('button', { name: 'Save changes' }).click()
  await page.getByText('This is not valid JSON.').waitFor()
  await page.getByLabel('Issuers of software statements').fill('')
  await card('What they may be').getByRole('button', { name: 'Save changes' }).click()
  await page.getByText('has no permission read').waitFor()
  await page.getByLabel('Permissions they may ask for').fill('')
  await page.getByLabel('Before each name').fill('Community: ')
  await saved('What they may be')
  expect((await settings()).policy).toMatchObject({
    redirectHosts: ['app.example', '*.partner.example'],
    namePrefix: 'Community: ',
  })

  await page.getByRole('button', { name: 'Create token' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Name').fill('Partner')
  await dialog.getByLabel('Applications that may register with it').fill('2')
  await dialog.getByRole('button', { name: 'Create token' }).click()
  const token = await dialog.locator('code').textContent()
  await dialog.getByRole('button', { name: 'I have copied it' }).click()
  const answer = await fetch(`${server.issuer}/register`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: `Bearer ${token}` },
    body: JSON.stringify({ redirect_uris: ['https://app.example/callback'], client_name: 'Notes' }),
  })
  expect(answer.status).toBe(201)
  await page.reload()
  await page.getByText('1 of 2 registered').waitFor()
  await page.getByRole('button', { name: 'Delete token' }).click()
  await dialog.getByRole('textbox').fill('Partner')
  await dialog.getByRole('button', { name: 'Delete token' }).click()
  await page.getByText('No tokens: nobody registers with one.').waitFor()
  await page.getByRole('link', { name: 'Clients with documents' }).click()
  await page.getByRole('switch', { name: 'Let them sign users in' }).click()
  await expect.poll(async () => (await server.client.getCimdConfig()).enabled).toBe(true)
  await page.getByRole('checkbox', { name: /^Email address/ }).check()
  await page.getByRole('button', { name: 'Save changes' }).click()
  await page.getByRole('button', { name: 'Discard' }).waitFor({ state: 'detached' })
  expect((await server.client.getCimdUserConsentScopes()).userScopes).toEqual(['email'])
  await page.getByRole('link', { name: 'Applications' }).first().click()
  await page
    .getByRole('row', { name: /Community: Notes/ })
    .getByText('Registered itself')
    .waitFor()
}
