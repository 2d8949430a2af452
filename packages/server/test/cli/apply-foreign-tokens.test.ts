/** `apply` and `export`: which tokens of other issuers an application takes, and which other servers it may go to (DECISIONS H13, H14). */
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { type TenantFiles, tenantFiles } from './tenant-file.ts'

let files: TenantFiles
beforeAll(async () => {
  files = await tenantFiles(inject('cluster'))
})
afterAll(() => files.server.close())

const SETTINGS = {
  allowTokenExchange: true,
  federatedCredentials: [
    {
      name: 'production',
      issuer: 'https://ci.example',
      jwksUri: 'https://ci.example/keys',
      audience: 'countersign',
      subject: 'repo:octo/*:ref:refs/heads/main',
      claims: [
        { name: 'environment', value: 'production' },
        { name: '/kubernetes.io/namespace', value: 'shop-*' },
      ],
      isReusable: true,
    },
  ],
  identityAssertionAudiences: [
    {
      audience: 'https://wiki.example/oidc',
      clientId: 'here: there',
      resources: ['https://wiki.example/mcp'],
      scopes: ['read:pages'],
    },
    { audience: 'https://chat.example', clientId: 'shop' },
  ],
  identityAssertionConnectors: ['connector0001'],
}

const fileOf = (settings: object): string =>
  `applications:
  - name: Shop
    type: Traditional
    oidcClientMetadata: { redirectUris: [], postLogoutRedirectUris: [] }
    customClientMetadata: ${JSON.stringify(settings)}
`

test('they are set as the file has them, exported so that nothing changes, and taken to another tenant', async () => {
  await files.apply(fileOf(SETTINGS))
  const applications = await files.server.client.listApplications()
  expect(applications.find(({ name }) => name === 'Shop')?.customClientMetadata).toMatchObject(SETTINGS)
  const text = await files.export()
  const before = await files.everything()
  expect(await files.apply(text, { prune: true })).toEqual([])
  expect(await files.everything()).toEqual(before)
  await files.createTenant('other')
  await files.apply(fileOf(SETTINGS), { tenant: 'other' })
  expect(await files.apply(fileOf(SETTINGS), { tenant: 'other' })).toEqual([])
})

test.each<[string, object, string]>([
  ['a rule that lets everyone in', { name: 'all', issuer: 'https://ci.example', subject: '*' }, 'matches everything'],
  [
    'a name of a claim that is no JSON Pointer',
    { name: 'all', issuer: 'https://ci.example', claims: [{ name: '/a~b', value: 'x' }] },
    'is not a JSON Pointer',
  ],
])('%s is a fault at its place, and nothing is applied', async (_, credential, named) => {
  const before = await files.everything()
  const faults = await files.faults(fileOf({ ...SETTINGS, federatedCredentials: [credential] }))
  expect(faults).toContain(named)
  expect(faults).toMatch(/^tenant\.yaml:\d+:/)
  expect(await files.everything()).toEqual(before)
})
