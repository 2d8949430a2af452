/** The main paths of the screens for APIs, roles, organizations and the explanation of a token; console-browser.test.ts runs them in turn. */
import type { TestServer } from '@countersign/harness/server.ts'
import type { Page } from 'playwright-core'
import { expect } from 'vitest'

/** The console that is open. */
interface Opened {
  readonly server: TestServer
  readonly page: Page
  readonly open: (path: string) => Promise<unknown>
}

export const apiScreens = async ({ server, page, open }: Opened): Promise<void> => {
  await open('/apis')
  await page.getByRole('button', { name: 'Create API' }).click()
  await page.getByLabel('Name', { exact: true }).fill('Orders "><b>')
  await page.getByLabel('Indicator', { exact: true }).fill('orders')
  await page.keyboard.press('Enter')
  await page.getByRole('dialog').locator('[aria-invalid=true]').waitFor()
  await page.getByLabel('Indicator', { exact: true }).fill('https://orders.example')
  await page.keyboard.press('Enter')
  await page.getByRole('heading', { name: 'Orders "><b>' }).waitFor()
  const resource = (await server.client.listResources()).find(({ indicator }) => indicator === 'https://orders.example')
  const resourceId = resource?.id ?? ''
  const names = async () => (await server.client.listScopes({ params: { resourceId } })).map(({ name }) => name).sort()

  await page.getByRole('button', { name: 'Add permissions' }).first().click()
  const lines = page.getByRole('dialog').getByLabel('Permissions')
  await lines.fill(`- read:orders See the orders\n"write:orders", Change them\n${'x'.repeat(300)}\nlast`)
  await page.getByRole('button', { name: 'Add 4' }).click()
  await expect.poll(() => lines.inputValue()).toBe(`${'x'.repeat(300)}\nlast`)
  expect(await names()).toEqual(['read:orders', 'write:orders'])
  await lines.fill('read:orders\nlast')
  await page.getByText('Already there: read:orders').waitFor()
  await page.getByRole('button', { name: 'Add 1' }).click()
  await page.getByRole('list', { name: 'Permissions' }).getByText('last').waitFor()

  await page.getByRole('button', { name: 'Edit permission: last' }).click()
  await page.getByRole('dialog').getByLabel('Name', { exact: true }).fill('read:orders')
  await page.keyboard.press('Enter')
  await page.getByRole('dialog').getByText('already has a permission with this name').waitFor()
  await page.getByRole('dialog').getByLabel('Name', { exact: true }).fill('delete:orders')
  await page.keyboard.press('Enter')
  await page.getByRole('button', { name: 'Delete permission: write:orders' }).click()
  const remove = page.getByRole('dialog').getByRole('button', { name: 'Delete' })
  expect(await remove.isDisabled()).toBe(true)
  await page.getByRole('dialog').getByRole('textbox').fill('write:orders')
  await remove.click()
  await expect.poll(names).toEqual(['delete:orders', 'read:orders'])

  await page.getByRole('tab', { name: 'Settings' }).click()
  await page.getByRole('switch', { name: 'Use this API by default' }).click()
  await page.getByRole('switch', { name: 'Only tokens bound to a key' }).click()
  await page.getByText('Default API').first().waitFor()
  await page.getByLabel('Lifetime of access tokens').fill('0')
  await page.getByRole('button', { name: 'Save changes' }).click()
  await page
    .locator('form')
    .getByText(/^The least value is/)
    .waitFor()
  await page.getByLabel('Lifetime of access tokens').fill('600')
  await page.getByRole('button', { name: 'Save changes' }).click()
  const stored = () => server.client.getResource({ params: { id: resourceId } })
  await expect.poll(stored).toMatchObject({ isDefault: true, accessTokenTtl: 600, senderConstraint: 'dpop' })
  await page.getByRole('switch', { name: 'Only tokens bound to a certificate' }).click()
  await expect.poll(stored).toMatchObject({ senderConstraint: 'mtls' })
  await page.getByRole('switch', { name: 'Only tokens bound to a certificate' }).click()
  await expect.poll(stored).toMatchObject({ senderConstraint: 'none' })
  await page.getByRole('switch', { name: 'Require a nonce in DPoP proofs' }).click()
  await expect.poll(stored).toMatchObject({ dpopNonceRequired: true })
}

export const roleScreens = async ({ server, page, open }: Opened): Promise<void> => {
  const api = (await server.client.listResources()).find(({ indicator }) => indicator === 'https://orders.example')
  // the newest role is the first one of the matrix; of those of the same moment any is
  server.clock.advance(1)
  await open('/roles')
  await page.getByRole('button', { name: 'Create role' }).first().click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Name', { exact: true }).fill('Seller <i>')
  await dialog.getByRole('button', { name: 'Create role' }).click()
  await page.getByRole('heading', { name: 'Seller <i>' }).waitFor()
  const [role] = await server.client.listRoles({ query: { search: 'Seller%' } })
  const id = role?.id ?? ''
  const held = async () => (await server.client.listRoleScopes({ params: { id } })).map(({ name }) => name)
  expect(await page.getByRole('heading', { name: 'Management API' }).count()).toBe(0)
  await page.getByRole('checkbox', { name: 'read:orders' }).check()
  await page.getByRole('button', { name: 'Save changes' }).click()
  await expect.poll(held).toEqual(['read:orders'])

  await page.getByRole('tab', { name: 'Members' }).click()
  await page.getByRole('button', { name: 'Add user' }).first().click()
  await dialog.getByRole('button', { name: 'Zoe' }).click()
  await page.getByRole('button', { name: 'Remove role: Zoe' }).click()
  await page.getByText('Held by no one').waitFor()
  await page.getByRole('button', { name: 'Undo' }).click()
  await page.getByRole('button', { name: 'Remove role: Zoe' }).waitFor()

  await page.getByRole('tab', { name: 'Settings' }).click()
  await page.getByRole('switch').click()
  await expect.poll(() => server.client.getRole({ params: { id } })).toMatchObject({ isDefault: true })
  await open(`/apis/${api?.id}?tab=roles`)
  await page.getByRole('checkbox', { name: 'Seller <i>: delete:orders' }).click()
  await expect.poll(async () => (await held()).sort()).toEqual(['delete:orders', 'read:orders'])
  await page.getByRole('checkbox', { name: 'Seller <i>: read:orders' }).click()
  await expect.poll(held).toEqual(['delete:orders'])
  // of many notices the newest are shown, and the others have gone with them
  for (const [at, notice] of ['has', 'does not have', 'has'].entries()) {
    await page.getByRole('checkbox', { name: 'Seller <i>: read:orders' }).click()
    await expect.poll(async () => (await held()).length).toBe(at % 2 === 0 ? 2 : 1)
    await page.getByText(`Seller <i> ${notice} read:orders`).first().waitFor()
  }
  expect(await page.getByRole('button', { name: 'Undo' }).count()).toBe(3)
  await page.getByRole('checkbox', { name: 'Seller <i>: read:orders' }).click()
  await expect.poll(held).toEqual(['delete:orders'])
}

export const explainScreen = async ({ server, page, open }: Opened): Promise<void> => {
  const [application] = await server.client.listApplications({ query: { search: '%portal' } })
  await open('/explain')
  await page.getByRole('button', { name: 'User: Choose…' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Zoe' }).click()
  await page.getByRole('button', { name: 'Application: Choose…' }).click()
  await page
    .getByRole('dialog')
    .getByRole('button', { name: application?.name ?? '' })
    .click()
  await page.getByLabel('API', { exact: true }).selectOption('https://orders.example')
  const scopes = page.getByRole('list', { name: 'Requested scopes' }).getByRole('listitem')
  await scopes.filter({ hasText: 'delete:orders' }).filter({ hasText: 'Granted' }).getByText('Seller <i>').waitFor()
  await scopes.filter({ hasText: 'read:orders' }).getByText('Not granted').waitFor()
  await page.getByLabel('Scopes', { exact: true }).fill('openid delete:orders')
  await page.keyboard.press('Enter')
  await page.waitForURL(/scope=openid/)
  await scopes.filter({ hasText: 'openid' }).getByText('Granted').waitFor()
  await page.getByLabel('Scopes', { exact: true }).fill('delete:orders')
  await page.keyboard.press('Enter')
  await page.getByLabel('By', { exact: true }).selectOption('Exchange of a subject token')
  await page.getByText('token exchange is not allowed for this application').first().waitFor()
  const metadata = {
    allowTokenExchange: true,
    exchangePolicies: [{ name: 'A minute <i>', effect: 'allow', maxLifetime: 60 }],
  }
  await server.api('PATCH', `/applications/${application?.id}`, { customClientMetadata: metadata })
  await page.reload()
  const rules = page.getByRole('list', { name: 'Rules, in order' }).getByRole('listitem')
  await rules.filter({ hasText: 'A minute <i>' }).getByText('Decides: Allows').waitFor()
  await scopes.filter({ hasText: 'delete:orders' }).getByText('Granted').waitFor()
  await server.api('PATCH', `/applications/${application?.id}`, {
    customClientMetadata: application?.customClientMetadata,
  })
}

export const organizationScreens = async ({ server, page, open }: Opened): Promise<void> => {
  await open('/organizations/template?tab=permissions')
  await page.getByRole('button', { name: 'Add permissions' }).first().click()
  await page.getByRole('dialog').getByLabel('Permissions').fill('invite:members Invite others')
  await page.getByRole('button', { name: 'Add 1' }).click()
  await page.getByRole('list', { name: 'Permissions' }).getByText('invite:members').waitFor()
  await page.getByRole('tab', { name: 'Roles' }).click()
  await page.getByRole('button', { name: 'Create role' }).first().click()
  await page.getByRole('dialog').getByLabel('Name', { exact: true }).fill('Keeper')
  await page.keyboard.press('Enter')
  await page.getByRole('heading', { name: 'Keeper' }).waitFor()
  await page.getByRole('checkbox', { name: 'invite:members' }).check()
  await page.getByRole('checkbox', { name: 'read:orders' }).check()
  await page.locator('form').filter({ hasText: 'invite:members' }).getByRole('button', { name: 'Save changes' }).click()
  const roles = () => server.client.listOrganizationRoles({ query: { q: 'Keeper' } })
  await expect
    .poll(roles)
    .toMatchObject([{ scopes: [{ name: 'invite:members' }], resourceScopes: [{ name: 'read:orders' }] }])

  await open('/organizations')
  await page.getByRole('button', { name: 'Create organization' }).first().click()
  await page.getByRole('dialog').getByLabel('Name', { exact: true }).fill('Acme & <b>')
  await page.keyboard.press('Enter')
  await page.getByRole('heading', { name: 'Acme & <b>' }).waitFor()
  const [organization] = await server.client.listOrganizations({ query: { q: 'Acme' } })
  const id = organization?.id ?? ''
  await page.getByRole('button', { name: 'Add user' }).first().click()
  await page.getByRole('dialog').getByRole('button', { name: 'Zoe' }).click()
  await page.getByRole('button', { name: 'Change roles: Zoe' }).click()
  await page.getByRole('dialog').getByLabel('Keeper').check()
  await page.getByRole('dialog').getByRole('button', { name: 'Save changes' }).click()
  const members = () => server.client.listOrganizationUsers({ params: { id } })
  await expect.poll(members).toMatchObject([{ name: 'Zoe', organizationRoles: [{ name: 'Keeper' }] }])

  await page.getByRole('tab', { name: 'Invitations' }).click()
  await page.getByRole('button', { name: 'Invite' }).first().click()
  const invite = page.getByRole('dialog')
  await invite.getByLabel('Email', { exact: true }).fill('no address')
  await invite.getByRole('switch').click()
  await invite.getByRole('button', { name: 'Invite' }).click()
  await invite.locator('[aria-invalid=true]').waitFor()
  await invite.getByLabel('Email', { exact: true }).fill('new@acme.example')
  await invite.getByRole('button', { name: 'Invite' }).click()
  await page.getByRole('button', { name: 'Revoke: new@acme.example' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Revoke' }).click()
  await page.getByText('Revoked', { exact: true }).waitFor()

  await page.getByRole('tab', { name: 'Provisioning' }).click()
  await page.getByLabel('Domain', { exact: true }).fill('acme.example')
  await page.keyboard.press('Enter')
  await page.getByRole('button', { name: 'Remove domain' }).click()
  await page.getByText('No domains.').waitFor()
  await page.getByRole('button', { name: 'Undo' }).click()
  await page.getByRole('button', { name: 'Remove domain' }).waitFor()
  await page.getByLabel('Keeper').check()
  await page.getByRole('button', { name: 'Save changes' }).click()
  await expect.poll(() => server.client.listJitRoles({ params: { id } })).toMatchObject([{ name: 'Keeper' }])
}
