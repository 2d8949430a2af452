/** What the tests of tokens of organizations share: organizations with members and roles, and what third parties may do there. */
import type { TestServer } from '@countersign/harness/server.ts'
import * as client from 'openid-client'
import { type BodyOf, fresh } from '../protocol/arrange.ts'
import { type begin, type createApp, newBrowser, redeem, signIn } from '../sign-in/arrange.ts'
import { createRole, createScope, createOrganization as createWith } from './api-arrange.ts'

export const ORGANIZATIONS = 'urn:logto:scope:organizations'
export const ORGANIZATION_ROLES = 'urn:logto:scope:organization_roles'
export const ORGANIZATIONS_RESOURCE = 'urn:logto:resource:organizations'
export const audienceOf = (organizationId: string): string => `urn:logto:organization:${organizationId}`

export const createOrganization = (server: TestServer, name = fresh('organization'), description?: string) =>
  createWith(server, { name, ...(description === undefined ? {} : { description }) })

export const createPermission = (server: TestServer, name: string) => createScope(server, { name })

/** An organization role with these permissions: of organizations, and of APIs. */
export const createOrganizationRole = (
  server: TestServer,
  held: { organizationScopeIds?: string[]; resourceScopeIds?: string[] } = {},
  { type = 'User', name = fresh('organization role') } = {} as { type?: 'User' | 'MachineToMachine'; name?: string },
) => createRole(server, { name, type, ...held })

/** Makes the user a member, with these roles. */
export const join = async (
  { client: management }: TestServer,
  id: string,
  userId: string,
  organizationRoleIds: string[] = [],
) => {
  await management.addOrganizationUsers({ params: { id }, body: { userIds: [userId] } })
  if (organizationRoleIds.length > 0)
    await management.addOrganizationUserRoles({ params: { id, userId }, body: { organizationRoleIds } })
}

/** The same of a machine-to-machine application. */
export const joinMachine = async (
  { client: management }: TestServer,
  id: string,
  applicationId: string,
  organizationRoleIds: string[] = [],
) => {
  await management.addOrganizationApplications({ params: { id }, body: { applicationIds: [applicationId] } })
  if (organizationRoleIds.length > 0)
    await management.addOrganizationApplicationRoles({ params: { id, applicationId }, body: { organizationRoleIds } })
}

/** Has the user agree that a third-party application acts in the organization. */
export const agree = async ({ client: management }: TestServer, id: string, userId: string, organizationId: string) => {
  await management.addConsentOrganizations({ params: { id, userId }, body: { organizationIds: [organizationId] } })
}

/** What a third-party application may ask users for, beside what it may already. */
export const mayAsk = async (
  { client: management }: TestServer,
  applicationId: string,
  body: BodyOf<'addUserConsentScopes'>,
) => {
  await management.addUserConsentScopes({ params: { applicationId }, body })
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
