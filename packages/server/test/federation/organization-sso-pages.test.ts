/** The account pages on which members look after the single sign-on of their organization (DECISIONS P22). */
import type { IdentityProvider } from '@countersign/harness/identity-provider.ts'
import { SamlIdentityProvider } from '@countersign/harness/saml-identity-provider.ts'
import { startTestServer, type TestServer } from '@countersign/harness/server.ts'
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { openAccountCenter } from '../account/arrange.ts'
import { change, changeIn, enter, pageAt } from '../account/pages-arrange.ts'
import type { Browser, Page } from '../sign-in/browser.ts'
import { allowInOrganization, connectSso, startProvider } from './arrange.ts'
import { type NameServer, startNameServer } from './name-server.ts'

const HOSTILE = '<b>&"\u202eAcme'

let server: TestServer
let names: NameServer
let provider: IdentityProvider
let idp: SamlIdentityProvider
beforeAll(async () => {
  names = await startNameServer()
  server = await startTestServer(inject('cluster'), { DNS_SERVERS: names.address })
  provider = await startProvider(server)
  idp = await new SamlIdentityProvider(() => server.clock.now()).start()
  await openAccountCenter(server)
  await server.api('PATCH', '/sign-in-exp', { singleSignOnEnabled: true })
})
afterAll(async () => {
  await names.close()
  await provider.close()
  await idp.close()
  await server.close()
})

const organization = async (name: string): Promise<string> =>
  (await server.api('POST', '/organizations', { name })).body.id
/** A member who may look after it, on the page of it. */
const manager = async (organizationId: string, permission = 'manage:sso') => {
  const { id, browser } = await enter(server, '/organizations')
  const roleId = await allowInOrganization(server, organizationId, id, permission)
  return { id, browser, roleId, page: await browser.open(pageAt(server, `/single-sign-on?id=${organizationId}`)) }
}
const owned = (organizationId: string, domain: string) =>
  server.api('POST', `/organizations/${organizationId}/domains`, { domain, isVerified: true })
const shownIn = ({ text }: Page, id: string) => new RegExp(`id="${id}"[^>]*>([^<]*)<`).exec(text)?.[1]
const problemIn = (page: Page) => [page.status, shownIn(page, 'problem')]
/** Sends a form that may bring a file. */
const upload = (browser: Browser, page: Page, fields: Readonly<Record<string, string>>, file = '') => {
  const body = new FormData()
  body.set('token', /name="token" value="([^"]+)"/.exec(page.text)?.[1] ?? '')
  for (const [name, value] of Object.entries(fields)) body.set(name, value)
  body.set('file', new File([file], 'metadata.xml'))
  return browser.open(page.url, { method: 'POST', body })
}

test('a member proves a domain and sets up an OpenID provider', async () => {
  const acme = await organization(HOSTILE)
  const { browser, page: empty } = await manager(acme)
  expect((await browser.open(pageAt(server, '/organizations'))).text).toContain(`/account/single-sign-on?id=${acme}`)
  expect(empty.text).toContain('How members of &lt;b&gt;&amp;&quot;Acme sign in')
  const form = await change(browser, empty, 'add-domain')
  const DOMAINS: [string, string][] = [
    ['nothing', 'This is not a domain name.'],
    ['gmail.com', 'Everyone can have an address there, so it cannot be added.'],
  ]
  for (const [domain, text] of DOMAINS) expect(problemIn(await browser.submit(form, { domain }))).toEqual([422, text])
  const record = await browser.submit(form, { domain: '@Pages.example ' })
  expect([record.url.pathname, shownIn(record, 'title')]).toEqual([
    '/account/organization-domain',
    'Verify pages.example',
  ])
  const [name = '', value = ''] = [shownIn(record, 'record-name'), shownIn(record, 'record-value')]
  expect(problemIn(await browser.submit(record, {}))).toEqual([422, 'There is no such record yet.'])
  names.records.set(name, `not ${value}`)
  expect(problemIn(await browser.submit(record, {}))).toEqual([422, 'There is a record with another value.'])
  names.records.set(name, value)
  expect(problemIn(await browser.submit(record, { token: 'no' }))).toEqual([400, 'The form has expired. Try again.'])
  const proved = await browser.submit(record, {})
  expect([proved.url.pathname, shownIn(proved, 'notice')]).toEqual([
    '/account/single-sign-on',
    'Your change was saved.',
  ])
  expect(proved.text).toContain('<small>Verified</small>')
  const chosen = await change(browser, proved, 'add-identity-provider')
  const made = await browser.submit(chosen, { providerName: 'OIDC', connectorName: HOSTILE })
  const id = made.url.searchParams.get('id')?.split('.')[1] ?? ''
  expect(shownIn(made, 'redirect-uri')).toBe(`${server.baseUrl}/callback/${id}`)
  expect(shownIn(made, 'title')).toBe('&lt;b&gt;&amp;&quot;Acme')
  expect(made.text).toContain('until its settings are complete')
  const settings = await change(browser, made, 'identity-provider')
  const { clientSecret, ...config } = provider.config
  const fields = { connectorName: 'Acme', ...config, clientSecret, 'domain.pages.example': 'on' }
  expect(problemIn(await browser.submit(settings, { ...fields, issuer: 'nowhere' }))).toEqual([
    422,
    'Check this field: Issuer.',
  ])
  expect(problemIn(await browser.submit(settings, { ...fields, 'domain.other.example': 'on' }))).toEqual([
    422,
    'Verify the domain first.',
  ])
  const ready = await browser.submit(settings, fields)
  expect(ready.text).toContain('Members with an address at pages.example sign in there')
  expect(problemIn(await browser.submit(ready, {}))).toEqual([200, undefined])
  const again = await change(browser, ready, 'identity-provider')
  expect(again.text).not.toContain(clientSecret)
  const renamed = await browser.submit(again, { ...fields, connectorName: 'Renamed', clientSecret: '' })
  expect((await server.api('GET', `/sso-connectors/${id}`)).body).toMatchObject({
    connectorName: 'Renamed',
    organizationId: acme,
    domains: ['pages.example'],
    config: provider.config,
  })
  // the secret goes to no other provider
  const moved = { ...fields, issuer: `${provider.origin}/nowhere` }
  const elsewhere = await browser.submit(await change(browser, renamed, 'identity-provider'), {
    ...{ ...moved, clientSecret: '' },
  })
  expect(elsewhere.text).toContain('until its settings are complete')
  const wrong = await browser.submit(await change(browser, elsewhere, 'identity-provider'), { ...moved, clientSecret })
  const checked = await browser.submit(wrong, {})
  expect(shownIn(checked, 'problem')).toBe('No one can sign in there as it is.')
  expect(shownIn(checked, 'finding')).toMatch(/^users cannot sign in there: .*issuer/)
  const gone = await browser.submit(await change(browser, checked, 'remove-identity-provider'), {})
  expect([gone.url.pathname, gone.text.includes(id)]).toEqual(['/account/single-sign-on', false])
  const bare = await browser.submit(await change(browser, gone, 'remove-domain'), {})
  expect(bare.text).not.toContain('pages.example')
})

test('SAML has metadata by file or URL, certificates with their end, and keys that are replaced', async () => {
  const acme = await organization('Acme')
  await owned(acme, 'saml.example')
  const { browser, page } = await manager(acme)
  const chosen = await change(browser, page, 'add-identity-provider')
  const made = await browser.submit(chosen, { providerName: 'SAML', connectorName: 'Acme' })
  const id = made.url.searchParams.get('id')?.split('.')[1] ?? ''
  const [entityId, acs] = [shownIn(made, 'entity-id'), shownIn(made, 'acs')]
  expect(await (await fetch(entityId ?? '')).text()).toContain(`Location="${acs}"`)
  const settings = await change(browser, made, 'identity-provider')
  const fields = { connectorName: 'Acme', 'domain.saml.example': 'on' }
  const refused = await upload(browser, settings, fields, '<x/>')
  expect(problemIn(refused)[1]).toMatch(/^This cannot be used: the metadata of the identity provider/)
  const large = await upload(browser, settings, fields, '<'.repeat(256 * 1024 + 1))
  expect(problemIn(large)).toEqual([422, 'The file is larger than 256 KB.'])
  const huge = await upload(browser, settings, fields, '<'.repeat(9 * 1024 * 1024))
  expect(problemIn(huge)).toEqual([422, 'The file is larger than 256 KB.'])
  const ready = await upload(browser, settings, fields, idp.metadata)
  const configOf = async () => (await server.api('GET', `/sso-connectors/${id}`)).body.config
  expect(await configOf()).toEqual({ metadata: idp.metadata })
  expect(ready.text).toMatch(/Certificates of the identity provider.*Valid until/s)
  // what has no input stays, and an address takes the place of the file
  const attributeMapping = { name: 'cn' }
  await server.api('PATCH', `/sso-connectors/${id}`, { config: { metadata: idp.metadata, attributeMapping } })
  const again = await change(browser, ready, 'identity-provider')
  expect(again.text).toContain('A metadata file is stored.')
  const following = await upload(browser, again, { ...fields, metadataUrl: idp.entityId })
  expect(await configOf()).toEqual({ metadataUrl: idp.entityId, attributeMapping })
  // nobody waits for the provider before it is asked
  expect([idp.metadataRequests, following.text.includes('Certificates of the identity')]).toEqual([0, false])
  const checked = await browser.submit(following, {})
  expect(shownIn(checked, 'notice')).toBe('The identity provider answers, and nothing is wrong.')
  expect(checked.text).toMatch(/Certificates of the identity provider.*Valid until/s)
  const metadata = async () => (await fetch(entityId ?? '')).text()
  const added = await browser.submit(await change(browser, checked, 'new-certificate'), {})
  expect([added.text.includes('id="logout"'), await metadata()]).toEqual([
    false,
    expect.stringContaining('AuthnRequestsSigned="false"'),
  ])
  const active = await browser.submit(await change(browser, added, 'activate-certificate'), {})
  expect([active.text.includes('id="logout"'), active.text.includes('remove-certificate')]).toEqual([true, false])
  expect(await metadata()).toContain('AuthnRequestsSigned="true"')
  const inactive = await browser.submit(await change(browser, active, 'deactivate-certificate'), {})
  const without = await browser.submit(await change(browser, inactive, 'remove-certificate'), {})
  expect([without.status, without.text.includes('activate-certificate')]).toEqual([200, false])
  expect(await metadata()).not.toContain('KeyDescriptor')
})

test('members without the permission, of other organizations, and after they have lost it, change nothing', async () => {
  const [acme, other] = [await organization('Acme'), await organization('Other')]
  await owned(acme, 'lost.example')
  const [mine, theirs] = [
    await connectSso(server, provider.config, { organizationId: acme }),
    await connectSso(server, provider.config, { organizationId: other }),
  ]
  const { id, browser, page, roleId } = await manager(acme)
  const at = (path: string) => browser.open(pageAt(server, path))
  for (const path of [
    `/single-sign-on?id=${other}`,
    `/identity-provider?id=${other}.${theirs}`,
    `/identity-provider?id=${acme}.${theirs}`,
    `/organization-domain?id=${acme}.other.example`,
    '/single-sign-on',
  ])
    expect((await at(path)).text).not.toContain('id="to-organizations"')
  const plain = await manager(acme, 'read:sso')
  expect(plain.page.url.pathname).toBe('/account/organizations')
  expect(plain.page.text).not.toContain('single-sign-on')
  const provide = await at(`/identity-provider?id=${acme}.${mine}`)
  const form = await change(browser, page, 'remove-domain')
  expect((await browser.submit(form, { token: 'no' })).status).toBe(400)
  const domains = async () => (await server.api('GET', `/organizations/${acme}/domains`)).body.length
  // the settings are read only: then the permission is taken
  await openAccountCenter(server, { fields: { organizationSso: 'ReadOnly' } })
  const shown = await at(`/single-sign-on?id=${acme}`)
  expect([shown.text.includes('lost.example'), shown.text.includes('/account/change/')]).toEqual([true, false])
  expect((await browser.submit(form, {})).url.pathname).toBe('/account/organizations')
  expect((await browser.submit(provide, {})).url.pathname).toBe('/account/organizations')
  await openAccountCenter(server)
  await server.api('DELETE', `/organizations/${acme}/users/${id}/roles/${roleId}`)
  expect((await browser.submit(form, {})).url.pathname).toBe('/account/organizations')
  expect(await domains()).toBe(1)
  expect((await browser.open(changeIn(page, 'add-domain'))).url.pathname).toBe('/account/organizations')
})
