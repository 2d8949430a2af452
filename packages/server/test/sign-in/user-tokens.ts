/** What the tables about tokens of users walk: a user in a browser, an application, and two APIs besides a stranger. */
import type { TestServer } from '@countersign/harness/server.ts'
import { decodeJwt } from 'jose'
import { fresh, post, type Reply } from '../protocol/arrange.ts'
import { type Begun, begin, CALLBACK, createApp, createUser, newBrowser, signIn } from './arrange.ts'

export interface Api {
  readonly id: string
  readonly indicator: string
  /** The ids of its permissions, by name. */
  readonly scopeIds: Readonly<Record<string, string>>
}

/** Registers an API with permissions of these names. */
export const createApi = async ({ client }: TestServer, names: readonly string[] = ['read', 'write']): Promise<Api> => {
  const indicator = `https://api.example/${encodeURIComponent(fresh('api'))}`
  const { id } = await client.createResource({ body: { name: 'An API', indicator } })
  const scopeIds: Record<string, string> = {}
  for (const name of names) {
    scopeIds[name] = (await client.createScope({ params: { resourceId: id }, body: { name } })).id
  }
  return { id, indicator, scopeIds }
}

/** A role of users with these permissions. */
export const createRole = async (
  { client }: TestServer,
  scopeIds: readonly (string | undefined)[],
): Promise<string> => {
  const known = scopeIds.filter((id) => id !== undefined)
  return (await client.createRole({ body: { name: fresh('role'), scopeIds: known } })).id
}

/** A user who has signed in to a public application: a further authorization needs no page. */
export const signedInUser = async (server: TestServer) => {
  const app = await createApp(server, 'SPA')
  const user = await createUser(server)
  const browser = newBrowser()
  await signIn(browser, await begin(app.configuration), user.username)
  return { app, user, browser }
}
export type SignedIn = Awaited<ReturnType<typeof signedInUser>>

export interface Authorized {
  readonly begun: Begun
  readonly code: string
}

/** Gets a code without a page. @param resources of the authorization request */
export const authorize = async (
  { app, browser }: SignedIn,
  scope: string,
  resources: readonly string[],
): Promise<Authorized> => {
  const begun = await begin(app.configuration, { scope })
  for (const resource of resources) begun.url.searchParams.append('resource', resource)
  const { url } = await browser.open(begun.url)
  const code = url.searchParams.get('code')
  if (code === null) throw new Error(`no code came back: ${url.href}`)
  return { begun, code }
}

type More = Readonly<Record<string, string | readonly string[]>>

export const redeemCode = (
  server: TestServer,
  { app }: Pick<SignedIn, 'app'>,
  { begun, code }: Authorized,
  more: More = {},
): Promise<Reply> =>
  post(server, '/token', {
    grant_type: 'authorization_code',
    client_id: app.id,
    code,
    redirect_uri: CALLBACK,
    code_verifier: begun.verifier,
    ...more,
  })

export const refresh = (
  server: TestServer,
  { app }: Pick<SignedIn, 'app'>,
  token: string,
  more: More = {},
): Promise<Reply> =>
  post(server, '/token', { grant_type: 'refresh_token', client_id: app.id, refresh_token: token, ...more })

/** Which token came out of a token request: the audience of a JWT, `opaque`, or the error. */
export const kindOf = ({ status, body }: Reply): string => {
  if (status !== 200) return body.error
  return body.access_token.startsWith('cs_at_') ? 'opaque' : String(decodeJwt(body.access_token).aud)
}
