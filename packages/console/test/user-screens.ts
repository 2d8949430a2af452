/** The main paths of one user's screen; console-browser.test.ts runs them in turn. */
import { text } from 'node:stream/consumers'
import type { TestServer } from '@countersign/harness/server.ts'
import type { Page } from 'playwright-core'
import { expect } from 'vitest'

/** The console that is open. */
interface Opened {
  readonly server: TestServer
  readonly page: Page
  readonly open: (path: string) => Promise<unknown>
}

/** Profile, own fields, custom data, password, tokens, accounts, factors and organizations of one user. */
export const userScreens = async ({ server: { client }, page, open }: Opened): Promise<void> => {
  const { id } = await client.createUser({ body: { username: 'mona', name: 'Mona', primaryEmail: 'mona@example.com' } })
  await client.updateAccountCenter({ body: { enabled: true } })
  const config = { host: '127.0.0.1', port: 9, fromEmail: 'no-reply@example.com' }
  const { id: mailId } = await client.createConnector({
    body: { connectorId: 'simple-mail-transfer-protocol', config },
  })
  const params = { userId: id }
  const user = () => client.getUser({ params })
  await client.createCustomProfileField({
    body: { name: 'seats', type: 'Number', label: 'Seats <b>', required: false },
  })
  await client.createUserFactor({ params, body: { type: 'Totp' } })
  await client.putUserIdentity({ params: { ...params, target: 'github' }, body: { userId: '42', details: {} } })
  const dialog = page.getByRole('dialog')
  const save = page.getByRole('button', { name: 'Save changes' })

  await open(`/users/${id}`)
  await page.getByLabel('Seats <b>').fill('many')
  await save.last().click()
  await page.getByRole('alert').waitFor()
  await page.getByLabel('Seats <b>').fill('3')
  await page.getByRole('button', { name: 'All fields' }).click()
  await page.getByLabel('City').fill('Lisbon')
  await save.last().click()
  await expect.poll(user).toMatchObject({ customData: { seats: 3 }, profile: { address: { locality: 'Lisbon' } } })
  await page.getByLabel('JSON').fill('[]')
  await save.last().click()
  await page.getByText('This has to be a JSON object.').waitFor()
  await page.getByLabel('JSON').fill('{"plan":"gold"}')
  await save.last().click()
  await expect.poll(async () => (await user()).customData).toEqual({ plan: 'gold' })

  await page.getByRole('tab', { name: 'Access' }).click()
  await page.getByRole('button', { name: 'Add to organization' }).click()
  await dialog.getByRole('button', { name: 'Acme & <b>' }).click()
  await page.getByRole('button', { name: 'Change roles: Acme & <b>' }).click()
  await dialog.getByLabel('Keeper').check()
  await dialog.getByRole('button', { name: 'Save changes' }).click()
  const joined = () => client.listUserOrganizations({ params })
  await expect.poll(joined).toMatchObject([{ name: 'Acme & <b>', organizationRoles: [{ name: 'Keeper' }] }])
  await page.getByText(/^Keeper · Given by grace, /).waitFor()
  await page.getByRole('button', { name: 'Create token' }).click()
  await dialog.getByLabel('Name', { exact: true }).fill('<i>/..')
  await dialog.getByRole('button', { name: 'Create token' }).click()
  await dialog.getByText(/^pat_/).waitFor()
  await dialog.getByRole('button', { name: 'Close' }).last().click()
  await page.getByRole('button', { name: 'Delete token' }).click()
  await dialog.getByText('“<i>/..”').waitFor()
  await dialog.getByLabel('To confirm, type <i>/..').fill('<i>/..')
  await dialog.getByRole('button', { name: 'Delete token' }).click()
  await page.getByText('No personal access tokens.').waitFor()

  await page.getByRole('tab', { name: 'Security' }).click()
  await page.getByRole('button', { name: 'Set password' }).click()
  await dialog.getByLabel('New password').fill('a long enough phrase')
  await dialog.getByRole('button', { name: 'Set password' }).click()
  await page.getByRole('button', { name: 'Change password' }).waitFor()
  await page.getByRole('button', { name: 'Send reset link' }).click()
  await dialog.getByRole('button', { name: 'Show link' }).click()
  await dialog.getByText(/account.security.one_time_token=cs_ot_/).waitFor()
  await dialog.getByRole('button', { name: 'Close' }).last().click()
  await page.getByRole('button', { name: 'Send reset link' }).click()
  await dialog.getByRole('button', { name: 'Send by email' }).click()
  await page.getByText('The link is on its way to mona@example.com').waitFor()
  await client.deleteConnector({ params: { id: mailId } })
  await page.getByRole('button', { name: 'Unlink account' }).click()
  await dialog.getByText('another way to sign in').waitFor()
  await dialog.getByRole('button', { name: 'Unlink account' }).click()
  await page.getByText('No linked accounts.').waitFor()
  await page.getByRole('button', { name: 'Remove factor' }).click()
  await dialog.getByText('Codes of the app are refused').waitFor()
  await dialog.getByRole('button', { name: 'Remove factor' }).click()
  await page.getByText('No second factor.').waitFor()
  expect(await user()).toMatchObject({ hasPassword: true, identities: {} })
}

/** A token for a reason, the notice on every screen until it is ended; the log finds the request by its id. */
export const actAsScreen = async ({ server, page, open }: Opened): Promise<void> => {
  const { client } = server
  const [mona] = await client.listUsers({ query: { search: 'mona' } })
  const application = await client.createApplication({ body: { name: 'Desk', type: 'SPA' } })
  const customClientMetadata = { ...application.customClientMetadata, allowTokenExchange: true }
  await client.updateApplication({ params: { id: application.id }, body: { customClientMetadata } })
  const dialog = page.getByRole('dialog')
  await open(`/users/${mona?.id}`)
  await page.getByRole('button', { name: 'Act as', exact: true }).click()
  const begin = dialog.getByRole('button', { name: 'Act as user' })
  expect(await begin.isDisabled()).toBe(true)
  await dialog.getByLabel('Reason').fill('ticket 7 <b>')
  await dialog.getByLabel('Application').selectOption('Desk')
  await begin.click()
  await dialog.getByText(`"sub": "${mona?.id}"`).waitFor()
  await dialog.getByText('Authorization: Bearer ey').waitFor()
  const [current] = await client.listImpersonations({ query: {} })
  expect(current).toMatchObject({ userId: mona?.id, applicationId: application.id, reason: 'ticket 7 <b>' })
  await dialog.getByRole('button', { name: 'Close' }).last().click()
  // it survives a reload, which keeps nothing in the browser
  await open('/applications')
  await page.getByText('for “ticket 7 <b>” until').waitFor()
  await page.getByRole('button', { name: 'End acting as' }).click()
  await page.getByText('The token is refused from now on.').waitFor()
  await page.getByText('for “ticket 7 <b>” until').waitFor({ state: 'detached' })
  expect(await client.listImpersonations({ query: {} })).toEqual([])
  const [entry] = await client.listLogs({ query: { logKey: 'ManagementApi.createImpersonation' } })
  expect(JSON.stringify(entry?.payload)).toContain('ticket 7 <b>')
  await open(`/log?requestId=${entry?.payload.requestId}`)
  await page.getByRole('button', { name: 'Act as a user' }).waitFor()
}

const TABLE = `E-Mail,First name,Shoe size,Suspended
imp1@example.com,"Ann ""A"", of B",39,no
no address,Bob,,
imp2@example.com,"Cat
and Dog",40,yes
`

/** A table is imported while the connection is lost once; the refused line is named, and saved in a file that can be mended. */
export const importScreen = async ({ server: { client }, page, open }: Opened): Promise<void> => {
  await open('/users')
  await page.getByRole('link', { name: 'Import' }).click()
  const name = 'people <b>.csv'
  await page.setInputFiles('input[type=file]', { name, mimeType: 'text/csv', buffer: Buffer.from(TABLE) })
  expect(await page.getByLabel('What Shoe size stands for').inputValue()).toBe('customData.*')
  let isLost = false
  await page.route('**/api/user-imports', async (route) => {
    if (isLost) return route.continue()
    isLost = true
    // it arrives, and its answer does not
    await route.fetch()
    await route.abort()
  })
  await page.getByRole('button', { name: 'Import users' }).click()
  await page.getByText('3 lines read, 2 users created, 1 lines refused.').waitFor()
  await page.unroute('**/api/user-imports')
  const line = page.getByRole('list', { name: 'Refused lines' }).getByRole('listitem')
  expect(await line.allTextContents()).toEqual([expect.stringMatching(/^Line 3.*no address,Bob/)])
  const download = page.waitForEvent('download')
  await page.getByRole('button', { name: 'Refused lines' }).click()
  const saved = await text(await (await download).createReadStream())
  expect(saved).toBe('"E-Mail","First name","Shoe size","Suspended"\nno address,Bob,,\n')
  const found = await client.listUsers({ query: { search: 'imp%@example.com', 'mode.primaryEmail': 'like' } })
  expect(
    found.map(({ profile, customData, isSuspended }) => [profile.givenName, customData, isSuspended]).sort(),
  ).toEqual([
    ['Ann "A", of B', { 'Shoe size': '39' }, false],
    ['Cat\nand Dog', { 'Shoe size': '40' }, true],
  ])

  await open('/users?search=imp&status=suspended')
  await expect.poll(() => page.locator('tbody tr').allTextContents()).toEqual([expect.stringContaining('imp2')])
  await page.getByLabel('Second factors').selectOption('With a second factor')
  await page.getByText('Nothing matches').waitFor()
  await page.getByRole('button', { name: 'Clear filters' }).click()
  await expect.poll(() => page.locator('tbody tr').count()).toBe(2)

  await page.getByRole('button', { name: 'Export', exact: true }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByText('The users that the search and the filters find').waitFor()
  const exported = page.waitForEvent('download')
  await dialog.getByRole('button', { name: 'Export users' }).click()
  await dialog.getByText('2 users were saved.').waitFor()
  const lines = (await text(await (await exported).createReadStream())).trimEnd().split('\n')
  expect(lines.map((each) => JSON.parse(each).primaryEmail).sort()).toEqual(['imp1@example.com', 'imp2@example.com'])
  await dialog.getByRole('button', { name: 'Close' }).last().click()
}
