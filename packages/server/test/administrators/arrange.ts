/** What the tests of administrators share: a user with roles, and tokens that the console gets for them. */
import { MANAGEMENT_PERMISSIONS } from '@countersign/contract/permissions.ts'
import type { TestServer } from '@countersign/harness/server.ts'
import * as client from 'openid-client'
import { call } from '../management/arrange.ts'
import { post, type Reply } from '../protocol/arrange.ts'
import { begin, createUser, PASSWORD } from '../sign-in/arrange.ts'
import { Browser } from '../sign-in/browser.ts'

/** What the console asks for. */
const SCOPE = ['openid', 'profile', ...MANAGEMENT_PERMISSIONS.map(({ name }) => name)].join(' ')

export interface Administrator {
  readonly id: string
  readonly username: string
  readonly browser: Browser
}

export const createAdministrator = async (
  server: TestServer,
  roleIds: readonly string[] = [],
): Promise<Administrator> => {
  const { id, username } = await createUser(server)
  if (roleIds.length > 0) {
    const { status } = await server.api('PUT', `/administrators/${id}`, { roleIds })
    if (status !== 200) throw new Error(`the user did not become an administrator: ${status}`)
  }
  return { id, username, browser: new Browser(`${server.baseUrl}/console/callback`) }
}

/** Goes through an authorization as the console makes it, signing in where that is asked for; returns the answer of the token endpoint. */
export const askAsConsole = async (
  server: TestServer,
  { browser, username }: Pick<Administrator, 'browser' | 'username'>,
  parameters: Readonly<Record<string, string>> = {},
  password = PASSWORD,
): Promise<Reply> => {
  const { baseUrl, credentials } = server
  const configuration = await client.discovery(new URL(`${baseUrl}/oidc`), 'console', undefined, client.None(), {
    execute: [client.allowInsecureRequests],
  })
  const redirectUri = `${baseUrl}/console/callback`
  const asked = { redirect_uri: redirectUri, scope: SCOPE, resource: credentials.resource, ...parameters }
  const begun = await begin(configuration, asked)
  let page = await browser.open(begun.url)
  if (!page.url.searchParams.has('code') && !page.url.searchParams.has('error'))
    page = await browser.submit(page, { identifier: username, password })
  const code = page.url.searchParams.get('code')
  if (code === null) throw new Error(`no code came back: ${page.url.href}`)
  return post(server, '/token', {
    ...{ grant_type: 'authorization_code', client_id: 'console', code, redirect_uri: redirectUri },
    ...{ code_verifier: begun.verifier, resource: credentials.resource },
  })
}

/** A token for the Management API. */
export const consoleToken = async (
  server: TestServer,
  administrator: Administrator,
  parameters: Readonly<Record<string, string>> = {},
): Promise<string> => {
  const { status, body } = await askAsConsole(server, administrator, parameters)
  if (status !== 200) throw new Error(`no token: ${body.error}`)
  return body.access_token
}

/** The status of a call, and the code of its refusal. */
export const outcome = async (
  server: TestServer,
  token: string,
  method: string,
  path: string,
  body?: object,
): Promise<string> => {
  const answer = await call(server, method, path, { token, ...(body ? { body } : {}) })
  return answer.status < 300 ? String(answer.status) : `${answer.status} ${answer.body.code}`
}
