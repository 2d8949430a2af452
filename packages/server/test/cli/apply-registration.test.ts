/** `apply` and `export`: who may register applications, and what ID tokens say. */
import { managementClient } from '@countersign/harness/management-client.ts'
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { CALLBACK, register } from '../registered-clients/arrange.ts'
import { type TenantFiles, tenantFiles } from './tenant-file.ts'

let files: TenantFiles
beforeAll(async () => {
  files = await tenantFiles(inject('cluster'))
})
afterAll(() => files.server.close())

const FILE = `resources:
  - indicator: https://notes.example/api
    name: Notes
    permissions: [{ name: read }]
clientRegistration:
  mode: open
  policy:
    redirectHosts: [app.example]
    permissions: [{ resource: https://notes.example/api, scopes: [read] }]
clientDocuments:
  enabled: true
  userConsentScopes:
    userScopes: [profile]
    resourceScopes: { https://notes.example/api: [read] }
security:
  dpopNonceRequired: true
idToken:
  enabledExtendedClaims: [roles]
`

test('they are set as the file has them, once, and exported so that nothing changes', async () => {
  const changes = await files.apply(FILE)
  expect(changes.some((each) => each.startsWith('~ client registration: mode: "closed" → "open"'))).toBe(true)
  expect(changes.some((each) => each.startsWith('~ ID token settings: enabledExtendedClaims'))).toBe(true)
  expect(changes.some((each) => each.startsWith('~ security settings: dpopNonceRequired'))).toBe(true)
  expect(changes).toContainEqual(
    expect.stringMatching(
      /^~ clients with documents: enabled: false → true.*userScopes: \+ profile.*resourceScopes: \+ /s,
    ),
  )
  expect(await files.apply(FILE)).toEqual([])
  expect(await files.apply(await files.export())).toEqual([])
  const api = managementClient(files.server.baseUrl, files.server.credentials)
  expect((await api('GET', '/configs/client-registration')).body).toMatchObject({ mode: 'open', maxClients: 1000 })
})

test('what clients with documents may ask for is as the file has it, and a permission that does not exist is a fault', async () => {
  const gone = 'clientDocuments:\n  userConsentScopes:\n    resourceScopes: { https://notes.example/api: [fly] }\n'
  expect(await files.faults(gone)).toContain('fly')
  const changes = await files.apply(
    'clientDocuments:\n  enabled: false\n  userConsentScopes:\n    userScopes: [email]\n',
  )
  expect(changes).toEqual([expect.stringContaining('+ email, - profile')])
  expect(await files.export()).toContain('clientDocuments:\n  enabled: false')
  const { body } = await managementClient(files.server.baseUrl, files.server.credentials)(
    'GET',
    '/cimd/user-consent-scopes',
  )
  expect(body).toMatchObject({ userScopes: ['email'], resourceScopes: [{ scopes: [{ name: 'read' }] }] })
})

test('a policy that names what does not exist is a fault at its place', async () => {
  const text = 'clientRegistration:\n  policy:\n    permissions: [{ resource: https://gone.example, scopes: [read] }]\n'
  expect(await files.faults(text)).toContain('https://gone.example has no permission read')
})

test('applications that registered themselves are neither exported nor deleted', async () => {
  const { status, body } = await register(files.server, { redirect_uris: [CALLBACK], client_name: 'Came by itself' })
  expect(status, JSON.stringify(body)).toBe(201)
  const text = await files.export()
  expect(text).not.toContain('Came by itself')
  expect(await files.apply(text, { prune: true })).toEqual([])
  const api = managementClient(files.server.baseUrl, files.server.credentials)
  expect((await api('GET', `/applications/${body.client_id}`)).status).toBe(200)
})
