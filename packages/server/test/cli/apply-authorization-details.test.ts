/** `apply` and `export`: types of authorization details at the APIs that understand them, and applications that manage grants. */
import { managementClient } from '@countersign/harness/management-client.ts'
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { type TenantFiles, tenantFiles } from './tenant-file.ts'

let files: TenantFiles
beforeAll(async () => {
  files = await tenantFiles(inject('cluster'))
})
afterAll(() => files.server.close())

const PAYMENT = `      - type: payment_initiation
        description: A payment
        schema:
          type: object
          required: [type, creditorName]
          properties: { type: { const: payment_initiation }, creditorName: { type: string, maxLength: 70 } }
        templates: { en: 'Pay {creditorName}', de: '{creditorName} bezahlen' }
`
const ACCOUNT = '      - { type: account_information, schema: { type: object } }\n'
const api = (name: string, types: string) =>
  `  - indicator: https://${name}.example/api\n    name: ${name}\n    authorizationDetailsTypes:\n${types || '      []\n'}`
const FILE = `resources:
${api('payments', PAYMENT + ACCOUNT)}applications:
  - name: Shop
    type: Traditional
    oidcClientMetadata: { redirectUris: [], postLogoutRedirectUris: [] }
    customClientMetadata: { authorizationDetailsTypes: [payment_initiation], grantManagement: true }
`

test('they are registered as the file has them, once, and exported so that nothing changes', async () => {
  expect(await files.apply(FILE, { isDry: true })).toContain(
    '+ authorization details type payment_initiation of https://payments.example/api',
  )
  await files.apply(FILE)
  expect(await files.apply(FILE)).toEqual([])
  const text = await files.export()
  expect(text).toContain('Pay {creditorName}')
  expect(text).toContain('grantManagement: true')
  expect(await files.apply(text, { prune: true })).toEqual([])
  const call = managementClient(files.server.baseUrl, files.server.credentials)
  const { body: resources } = await call('GET', '/resources?page_size=100')
  const { id } = resources.find(({ name }: { name: string }) => name === 'payments')
  const { body: types } = await call('GET', `/resources/${id}/authorization-details-types`)
  expect(types).toHaveLength(2)
  expect(types).toContainEqual(
    expect.objectContaining({
      type: 'payment_initiation',
      description: 'A payment',
      templates: { en: 'Pay {creditorName}', de: '{creditorName} bezahlen' },
    }),
  )
  // another tenant may have the same ones, and neither sees the other's
  await files.createTenant('other')
  expect(await files.export('other')).not.toContain('payment_initiation')
  expect(await files.apply(FILE, { tenant: 'other' })).toContain(
    '+ authorization details type payment_initiation of https://payments.example/api',
  )
  expect(await files.apply(FILE)).toEqual([])
})

test('changes are told, and what the file lacks stays until it is pruned', async () => {
  const changed = FILE.replace('A payment', 'One payment').replace('maxLength: 70', 'maxLength: 35')
  expect(await files.apply(changed)).toEqual([
    '~ authorization details type payment_initiation of https://payments.example/api: description: "A payment" → "One payment"; schema differs',
  ])
  expect(await files.apply(FILE.replace('grantManagement: true', 'grantManagement: false'), { isDry: true })).toEqual(
    expect.arrayContaining([expect.stringContaining('customClientMetadata.grantManagement: true → false')]),
  )
  const fewer = `resources:\n${api('payments', ACCOUNT)}`
  expect(await files.apply(fewer)).toEqual([])
  expect(await files.apply('resources:\n  - { indicator: https://payments.example/api, name: payments }\n')).toEqual([])
  // from one API to another, in either order
  const moved = `resources:\n${api('bank', ACCOUNT)}${api('payments', PAYMENT)}`
  expect(await files.faults(moved)).toMatch(/^tenant\.yaml:5:.*already exists/)
  expect(await files.apply(moved, { prune: true })).toEqual(
    expect.arrayContaining([
      '- authorization details type account_information of https://payments.example/api',
      '+ authorization details type account_information of https://bank.example/api',
    ]),
  )
  expect(await files.apply(`resources:\n${api('payments', PAYMENT + ACCOUNT)}`, { prune: true })).toEqual([
    '- resource https://bank.example/api',
    '+ authorization details type account_information of https://payments.example/api',
  ])
})

test.each<[string, string, string]>([
  ['a schema with a reference', "{ type: broken, schema: { type: object, properties: { a: { $ref: '#' } } } }", 'ref'],
  ['a template that is none', "{ type: broken, schema: { type: object }, templates: { en: 'Pay {' } }", 'brace'],
  ['no schema', '{ type: broken }', 'schema'],
  ['a name with a space', '{ type: two words, schema: { type: object } }', 'type'],
  ['a member that does not exist', '{ type: broken, schema: { type: object }, colour: red }', 'colour'],
  ['the same type twice', '{ type: payment_initiation, schema: { type: object } }', 'twice'],
])('%s is a fault at its place, and nothing is applied', async (_, type, named) => {
  const before = await files.everything()
  const faults = await files.faults(`resources:\n${api('payments', `${PAYMENT}      - ${type}\n`)}`)
  expect(faults).toContain(named)
  expect(faults).toMatch(/^tenant\.yaml:12:/)
  expect(await files.everything()).toEqual(before)
})
