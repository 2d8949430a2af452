/** What the tests of tokens of organizations share: organizations with members and roles, and what third parties may do there. */
import type { TestServer } from '@countersign/harness/server.ts'
import * as client from 'openid-client'
import { fresh } from '../protocol/arrange.ts'
import { type begin, type createApp, newBrowser, redeem, signIn } from '../sign-in/arrange.ts'

export const ORGANIZATIONS = 'urn:logto:scope:organizations'
export const ORGANIZATION_ROLES = 'urn:logto:scope:organization_roles'
export const ORGANIZATIONS_RESOURCE = 'urn:logto:resource:organizations'
export const audienceOf = (organizationId: string): string => `urn:logto:organization:${organizationId}`

const created = async ({ api }: TestServer, path: string, body: object): Promise<string> => {
  const reply = await api('POST', path, body)
  if (reply.status >= 300) throw new Error(`${path}: ${JSON.stringify(reply.body)}`)
  return reply.body.id
}

export const createOrganization = (server: TestServer, name = fresh('organization'), description?: string) =>
  created(server, '/organizations', { name, ...(description === undefined ? {} : { description }) })

export const createPermission = (server: TestServer, name: string) => created(server, '/organization-scopes', { name })

/** An organization role with these permissions: of organizations, and of APIs. */
export const createOrganizationRole = (
  server: TestServer,
  held: { organizationScopeIds?: string[]; resourceScopeIds?: string[] } = {},
  { type = 'User', name = fresh('organization role') } = {} as { type?: 'User' | 'MachineToMachine'; name?: string },
) => created(server, '/organization-roles', { name, type, ...held })

/** Makes the user a member, with these roles. */
export const join = async ({ api }: TestServer, organizationId: string, userId: string, roleIds: string[] = []) => {
  await api('POST', `/organizations/${organizationId}/users`, { userIds: [userId] })
  if (roleIds.length > 0)
    await api('POST', `/organizations/${organizationId}/users/${userId}/roles`, { organizationRoleIds: roleIds })
}

/** The same of a machine-to-machine application. */
export const joinMachine = async ({ api }: TestServer, organizationId: string, id: string, roleIds: string[] = []) => {
  await api('POST', `/organizations/${organizationId}/applications`, { applicationIds: [id] })
  if (roleIds.length > 0)
    await api('POST', `/organizations/${organizationId}/applications/${id}/roles`, { organizationRoleIds: roleIds })
}

/** Has the user agree that a third-party application acts in the organization. */
export const agree = async ({ api }: TestServer, applicationId: string, userId: string, organizationId: string) => {
  const path = `/applications/${applicationId}/users/${userId}/consent-organizations`
  const { status } = await api('POST', path, { organizationIds: [organizationId] })
  if (status !== 201) throw new Error(`${path} answered ${status}`)
}

/** What a third-party application may ask users for, beside what it may already. */
export const mayAsk = async ({ api }: TestServer, applicationId: string, scopes: object) => {
  const { status, body } = await api('POST', `/applications/${applicationId}/user-consent-scopes`, scopes)
  if (status !== 201) throw new Error(JSON.stringify(body))
}

type App = Awaited<ReturnType<typeof createApp>>

/** Signs in, agrees where asked, and redeems; resolves with the tokens. */
export const authorized = async (app: App, begun: Awaited<ReturnType<typeof begin>>, username: string) => {
  const browser = newBrowser()
  const page = await signIn(browser, begun, username)
  // a box that is ticked is sent, as a browser does it
  const [, ticked] = /name="organization" value="(\w+)" checked/.exec(page.text) ?? []
  const answer = { answer: 'allow', ...(ticked === undefined ? {} : { organization: ticked }) }
  const back = page.text.includes('id="allow"') ? await browser.submit(page, answer) : page
  return redeem(app.configuration, back, begun)
}

/** What the token endpoint answers to a refresh: the tokens, or its error with the status. */
export const refresh = async (
  app: App,
  token: string | undefined,
  parameters: Record<string, string> = {},
): Promise<{ status: number; error?: string; tokens?: Awaited<ReturnType<typeof client.refreshTokenGrant>> }> => {
  try {
    return { status: 200, tokens: await client.refreshTokenGrant(app.configuration, token ?? '', parameters) }
  } catch (error) {
    if (error instanceof client.ResponseBodyError) return { status: error.status, error: error.error }
    throw error
  }
}
