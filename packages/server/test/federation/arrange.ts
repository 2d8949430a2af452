/** What the tests of sign-in at providers share: a connector for the test provider, and the steps of a page of one's own. */
import { IdentityProvider, type Person } from '@countersign/harness/identity-provider.ts'
import type { TestServer } from '@countersign/harness/server.ts'
import { expect, vi } from 'vitest'
import type { OwnPage, Reply } from '../experience/arrange.ts'

export const startProvider = ({ clock }: TestServer): Promise<IdentityProvider> =>
  new IdentityProvider(() => clock.now()).start()

/** Sets up a connector, and offers it alone. Returns its id. */
export const connect = async (
  { api }: TestServer,
  connectorId: 'oidc' | 'oauth2' | 'gitlab-universal',
  config: object,
  {
    target = 'acme',
    ...more
  }: { target?: string; syncProfile?: boolean; enableTokenStorage?: boolean; isOffered?: boolean } = {},
): Promise<string> => {
  const { isOffered = true, ...rest } = more
  const { status, body } = await api('POST', '/connectors', { connectorId, config, metadata: { target }, ...rest })
  expect(status).toBe(200)
  if (isOffered) {
    const { body: settings } = await api('GET', '/sign-in-exp')
    const targets = [...settings.socialSignInConnectorTargets, target]
    expect((await api('PATCH', '/sign-in-exp', { socialSignInConnectorTargets: targets })).status).toBe(200)
  }
  return body.id
}

let count = 0

/** A person at the provider whom no other test knows. */
export const newPerson = (claims: object = {}): Person => ({
  sub: `person-${++count}`,
  name: `Person ${count}`,
  ...claims,
})

/** An answer in short: its status, and the code of an error. */
export const told = ({ status, body }: Pick<Reply, 'status' | 'body'>): unknown[] =>
  body?.code ? [status, body.code] : [status]

/** Sends the user to the provider; the address, and the id of the record. */
export const beginAt = async (
  page: OwnPage,
  connectorId: string,
  state = `state-${++count}-at-random`,
  more: { scope?: string } = {},
) => {
  const redirectUri = `${page.server.baseUrl}/callback/${connectorId}`
  const path = `/verification/social/${connectorId}/authorization-uri` as const
  const { status, body } = await page.call('POST', path, { state, redirectUri, ...more })
  expect(status).toBe(200)
  return body as { authorizationUri: string; verificationId: string }
}

/** Brings what the user came back with. */
export const comeBack = (
  page: OwnPage,
  connectorId: string,
  connectorData: object,
  more: object = {},
): Promise<Reply> => page.call('POST', `/verification/social/${connectorId}/verify`, { connectorData, ...more })

/** There and back again: the answer of the verification. */
export const visit = async (
  page: OwnPage,
  provider: IdentityProvider,
  connectorId: string,
  person: Person,
  more: { scope?: string } = {},
) => {
  const { authorizationUri } = await beginAt(page, connectorId, undefined, more)
  return comeBack(page, connectorId, provider.signIn(authorizationUri, person))
}

/** Sign-ins at a provider for which the time is up when it is said, in place of after ten seconds. */
export const heldTimes = () => {
  const limits: AbortController[] = []
  const original = AbortSignal.timeout.bind(AbortSignal)
  const spy = vi.spyOn(AbortSignal, 'timeout').mockImplementation((ms) => {
    if (ms !== 10_000) return original(ms)
    const limit = new AbortController()
    limits.push(limit)
    return limit.signal
  })
  return {
    end: () => {
      for (const limit of limits) limit.abort(new DOMException('The time is up', 'TimeoutError'))
    },
    restore: () => spy.mockRestore(),
  }
}

/** Sets up an SSO connector. Returns its id. */
export const connectSso = async ({ api }: TestServer, config: object, more: object = {}): Promise<string> => {
  const connectorName = `Company ${++count}`
  const { status, body } = await api('POST', '/sso-connectors', {
    providerName: 'OIDC',
    connectorName,
    config,
    ...more,
  })
  expect(status).toBe(200)
  return body.id
}

/** There and back again by an SSO connector: the answer of the verification. */
export const visitSso = async (page: OwnPage, provider: IdentityProvider, connectorId: string, person: Person) => {
  const path = `/verification/sso/${connectorId}` as const
  const asked = { state: `state-${++count}-at-random`, redirectUri: `${page.server.baseUrl}/callback/${connectorId}` }
  const { status, body } = await page.call('POST', `${path}/authorization-uri`, asked)
  expect(status).toBe(200)
  const connectorData = provider.signIn(body.authorizationUri, person)
  return page.call('POST', `${path}/verify`, { connectorData, verificationId: body.verificationId })
}

/** Makes a user a member of an organization, with a role that has this permission. Returns the id of the role. */
export const allowInOrganization = async (
  { api }: TestServer,
  organizationId: string,
  userId: string,
  permission: string,
): Promise<string> => {
  const { body: present } = await api('GET', '/organization-scopes')
  const known = present.find(({ name }: { name: string }) => name === permission)
  const scope = known ?? (await api('POST', '/organization-scopes', { name: permission })).body
  const role = { name: `role ${++count}`, organizationScopeIds: [scope.id] }
  const { body } = await api('POST', '/organization-roles', role)
  await api('POST', `/organizations/${organizationId}/users`, { userIds: [userId] })
  const users = { userIds: [userId], organizationRoleIds: [body.id] }
  expect((await api('POST', `/organizations/${organizationId}/users/roles`, users)).status).toBe(201)
  return body.id
}
