/** The main paths of SAML applications, SCIM directories and what organizations bring; console-browser.test.ts runs them in turn. */
import type { TestServer } from '@countersign/harness/server.ts'
import type { Page } from 'playwright-core'
import { expect } from 'vitest'

/** The console that is open. */
interface Opened {
  readonly server: TestServer
  readonly page: Page
  readonly open: (path: string) => Promise<unknown>
}

/** Saves the form of a card, and waits until what is stored is shown: until then Discard is there. */
const savingIn = (page: Page) => {
  const card = (title: string) => page.locator('section').filter({ has: page.getByRole('heading', { name: title }) })
  const save = (title: string) => card(title).getByRole('button', { name: 'Save changes' }).click()
  return {
    save,
    saved: async (title: string) => {
      await save(title)
      await card(title).getByRole('button', { name: 'Discard' }).waitFor({ state: 'detached' })
    },
  }
}

export const samlScreens = async ({ server, page, open }: Opened): Promise<void> => {
  const { save, saved } = savingIn(page)
  const dialog = page.getByRole('dialog')
  await open('/applications/new')
  await page.getByText('SAML application').click()
  await page.getByLabel('Name', { exact: true }).fill('Wiki <b>')
  await page.getByRole('button', { name: 'Create application' }).click()
  await page.getByRole('heading', { name: 'Wiki <b>' }).waitFor()
  const [{ id = '' } = {}] = await server.client.listApplications({ query: { search: 'Wiki%' } })
  const stored = () => server.client.getSamlApplication({ params: { id } })
  const keys = () => server.client.listSamlApplicationSecrets({ params: { id } })
  const [first] = await keys()
  const metadata = `${server.baseUrl}/api/saml-applications/${id}/metadata`
  await page.getByTitle(metadata).first().waitFor()
  expect((await fetch(metadata)).status).toBe(200)
  await page.locator('pre', { hasText: 'BEGIN CERTIFICATE' }).waitFor()

  await page.getByRole('tab', { name: 'Settings' }).click()
  await page.getByLabel('Entity ID').fill('https://wiki.example')
  await page.getByLabel('ACS URL', { exact: true }).fill('javascript:alert(1)')
  await save('Service provider')
  await page.locator('[aria-invalid=true]').waitFor()
  await page.getByLabel('ACS URL', { exact: true }).fill('https://wiki.example/acs')
  await page.getByLabel('Name ID').selectOption('Email address')
  await saved('Service provider')
  await page.getByRole('tab', { name: 'Attributes' }).click()
  await page.getByLabel('Add attribute…').selectOption('email')
  await page.getByLabel('Add attribute…').selectOption('name')
  await page.getByLabel('Attribute for name').fill('displayName')
  await saved('Attributes')
  await page.getByRole('button', { name: 'Remove email' }).click()
  await saved('Attributes')
  await page.getByRole('tab', { name: 'Security' }).click()
  await page.getByRole('switch', { name: 'Require signed requests' }).click()
  await page.getByLabel('Certificates of the product').fill('none')
  await save('Signatures')
  await page.locator('form').getByText('cannot be read').waitFor()
  await page.getByLabel('Certificates of the product').fill(first?.certificate ?? '')
  await saved('Signatures')
  await page.getByLabel('Single logout URL of the product').fill('https://wiki.example/slo')
  await saved('Single logout')
  expect(await stored()).toMatchObject({
    entityId: 'https://wiki.example',
    acsUrl: { url: 'https://wiki.example/acs' },
    nameIdFormat: 'urn:oasis:names:tc:SAML:1.1:nameid-format:emailAddress',
    attributeMapping: { name: 'displayName' },
    requireSignedRequests: true,
    singleLogout: { url: 'https://wiki.example/slo' },
  })
  expect((await stored()).attributeMapping).not.toHaveProperty('email')

  await page.getByRole('tab', { name: 'Certificates' }).click()
  await page.getByRole('button', { name: 'Create key' }).click()
  await dialog.getByRole('button', { name: 'Create key' }).click()
  await page.getByRole('button', { name: /^Activate key/ }).click()
  await dialog.getByRole('button', { name: 'Activate key' }).click()
  await page.getByRole('button', { name: `Delete key: ${first?.id}` }).click()
  await dialog.getByRole('button', { name: 'Delete key' }).click()
  await expect.poll(keys).toMatchObject([{ active: true }])
  expect((await keys())[0]?.id).not.toBe(first?.id)
}

/** The screens that were walked here, for the check of every screen. */
export const directoryPaths = async ({ client }: TestServer): Promise<string[]> => {
  const [wiki] = await client.listApplications({ query: { search: 'Wiki%' } })
  return ['start', 'settings', 'attributes', 'security', 'certificates'].map(
    (tab) => `/applications/${wiki?.id}?tab=${tab}`,
  )
}
