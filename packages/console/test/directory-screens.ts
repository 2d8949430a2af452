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

export const scimScreens = async ({ server, page, open }: Opened): Promise<void> => {
  const { client } = server
  const { saved } = savingIn(page)
  const dialog = page.getByRole('dialog')
  await client.createRole({ body: { name: 'Provisioned', type: 'User' } })
  await open('/scim')
  await page.getByRole('button', { name: 'Create directory' }).first().click()
  await dialog.getByLabel('Name', { exact: true }).fill('Entra <i>')
  await page.keyboard.press('Enter')
  await page.getByRole('heading', { name: 'Entra <i>' }).waitFor()
  const [{ id = '', baseUrl = '' } = {}] = await client.listScimDirectories()
  await page.getByTitle(baseUrl).waitFor()
  await page.getByRole('button', { name: 'Create token' }).click()
  await dialog.getByLabel('Name', { exact: true }).fill('first')
  await page.keyboard.press('Enter')
  await page.getByRole('dialog', { name: 'Copy the token now' }).waitFor()
  const token = (await dialog.locator('code').textContent()) ?? ''
  await dialog.getByRole('button', { name: 'I have copied it' }).click()
  expect(await page.getByText(token).count()).toBe(0)
  const sent = await fetch(`${baseUrl}/Groups`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/scim+json' },
    body: JSON.stringify({ schemas: ['urn:ietf:params:scim:schemas:core:2.0:Group'], displayName: 'Staff <b>' }),
  })
  expect(sent.status).toBe(201)

  await open(`/scim/${id}?tab=groups`)
  await page.getByRole('button', { name: 'Change roles: Staff <b>' }).click()
  await dialog.getByLabel('Provisioned').check()
  await dialog.getByRole('button', { name: 'Save changes' }).click()
  await page.getByRole('list', { name: 'Groups' }).getByText('Provisioned').waitFor()
  await page.getByRole('tab', { name: 'Activity' }).click()
  await page.getByRole('button', { name: 'SCIM: Create group' }).waitFor()
  await page.getByRole('tab', { name: 'Settings' }).click()
  await page.getByLabel('Email domains').fill('entra.example')
  await page.getByRole('switch', { name: 'Link existing users' }).click()
  await saved('General')
  expect(await client.getScimDirectory({ params: { id } })).toMatchObject({
    emailDomains: ['entra.example'],
    linksUsers: true,
    isEnabled: true,
  })
  await page.getByRole('tab', { name: 'Connect' }).click()
  await page.getByRole('button', { name: 'Delete token' }).click()
  expect(await dialog.getByRole('button', { name: 'Delete token' }).isDisabled()).toBe(true)
  await dialog.getByLabel('To confirm, type first').fill('first')
  await dialog.getByRole('button', { name: 'Delete token' }).click()
  await page.getByText('No tokens: the identity provider cannot call.').waitFor()
}

export const organizationRest = async ({ server, page, open }: Opened): Promise<void> => {
  const { client } = server
  const { save, saved } = savingIn(page)
  const dialog = page.getByRole('dialog')
  const { id } = await client.createOrganization({ body: { name: 'Initech' } })
  await open(`/organizations/${id}?tab=look`)
  await page.getByLabel('Accent', { exact: true }).fill('red')
  await save('On the sign-in pages')
  await page.locator('form').getByText('Write it as #2f4fd0.').waitFor()
  await page.getByLabel('Accent', { exact: true }).fill('#a3221b')
  const customCss = '#submit { background: rgb(1, 2, 3) !important }'
  await page.getByRole('textbox', { name: 'Style sheet' }).fill(customCss)
  const shade = () =>
    page.locator('iframe').evaluate((frame) => {
      const button = (frame as HTMLIFrameElement).contentDocument?.querySelector('#submit')
      return button ? getComputedStyle(button).backgroundColor : ''
    })
  await expect.poll(shade).toBe('rgb(1, 2, 3)')
  await saved('On the sign-in pages')
  const color = { primaryColor: '#a3221b' }
  expect(await client.getOrganization({ params: { id } })).toMatchObject({ color, customCss })

  await page.getByRole('tab', { name: 'Single sign-on' }).click()
  const domain = page.getByLabel('Domain', { exact: true })
  await domain.fill('gmail.com')
  await page.keyboard.press('Enter')
  await page.locator('form [aria-invalid=true]').waitFor()
  await domain.fill('initech.example')
  await page.keyboard.press('Enter')
  await page.getByText('Create this TXT record').waitFor()
  await domain.fill('vouched.example')
  await page.getByRole('switch', { name: 'I vouch for this domain' }).click()
  await page.getByRole('button', { name: 'Add domain' }).click()
  await page.getByText('Verified', { exact: true }).waitFor()
  await page.getByRole('button', { name: 'Remove domain: initech.example' }).click()
  await dialog.getByRole('button', { name: 'Remove domain' }).click()
  await page.getByText('Create this TXT record').waitFor({ state: 'detached' })
  await page.getByRole('button', { name: 'Add identity provider' }).click()
  await dialog.getByLabel('Name', { exact: true }).fill('Initech ID')
  await dialog.getByRole('button', { name: 'Add identity provider' }).click()
  await page.getByRole('heading', { name: 'Initech ID' }).waitFor()
  const connectors = await client.listSsoConnectors()
  expect(connectors.filter(({ organizationId }) => organizationId === id)).toMatchObject([
    { connectorName: 'Initech ID', domains: ['vouched.example'] },
  ])

  await open(`/organizations/${id}?tab=provisioning`)
  await page.getByRole('button', { name: 'Create directory' }).click()
  await dialog.getByLabel('Name', { exact: true }).fill('Initech staff')
  await page.keyboard.press('Enter')
  await page.getByRole('heading', { name: 'Initech staff' }).waitFor()
  await page.getByRole('link', { name: 'Initech', exact: true }).click()
  await page.getByRole('tab', { name: 'Settings' }).click()
  await page.getByRole('button', { name: 'Delete organization' }).click()
  await dialog.getByRole('textbox').fill('Initech')
  await dialog.getByRole('button', { name: 'Delete', exact: true }).click()
  await page.waitForURL(/organizations$/)
  expect(await client.listOrganizations({ query: { q: 'Initech' } })).toEqual([])
}

export const deletions = async ({ server, page, open }: Opened): Promise<void> => {
  const { client } = server
  const resource = await client.createResource({ body: { name: 'Old API', indicator: 'https://old.example' } })
  const role = await client.createRole({ body: { name: 'Old role' } })
  const dialog = page.getByRole('dialog')
  const removeByName = async (what: string, name: string, list: RegExp) => {
    await page.getByRole('button', { name: `Delete ${what}` }).click()
    const remove = dialog.getByRole('button', { name: 'Delete', exact: true })
    expect(await remove.isDisabled()).toBe(true)
    await dialog.getByRole('textbox').fill(name)
    await remove.click()
    await page.waitForURL(list)
  }
  await open(`/apis/${resource.id}?tab=settings`)
  await removeByName('API', 'Old API', /apis$/)
  await open(`/roles/${role.id}?tab=settings`)
  await removeByName('role', 'Old role', /roles$/)
  expect((await client.listResources()).map(({ id }) => id)).not.toContain(resource.id)
  expect(await client.listRoles({ query: { search: 'Old role' } })).toEqual([])
}

/** The screens that were walked here, for the check of every screen. */
export const directoryPaths = async ({ client }: TestServer): Promise<string[]> => {
  const [wiki] = await client.listApplications({ query: { search: 'Wiki%' } })
  const [directory] = await client.listScimDirectories()
  const [organization] = await client.listOrganizations()
  return [
    '/scim',
    ...['start', 'settings', 'attributes', 'security', 'certificates'].map(
      (tab) => `/applications/${wiki?.id}?tab=${tab}`,
    ),
    ...['connect', 'groups', 'activity', 'settings'].map((tab) => `/scim/${directory?.id}?tab=${tab}`),
    ...['sso', 'look'].map((tab) => `/organizations/${organization?.id}?tab=${tab}`),
  ]
}
