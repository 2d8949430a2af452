/** Shared set-up of the token exchange tests: two APIs, a user with permissions, and applications that may exchange. */
import type { TestServer } from '@countersign/harness/server.ts'
import { type BodyOf, registerApplication } from '../protocol/arrange.ts'
import { begin, createApp, createUser, newBrowser, redeem, signIn } from '../sign-in/arrange.ts'

export const GRANT = 'urn:ietf:params:oauth:grant-type:token-exchange'
export const ACCESS_TOKEN = 'urn:ietf:params:oauth:token-type:access_token'
export const PAT = 'urn:logto:token-type:personal_access_token'
export const ORDERS = 'https://orders.example/api'
export const BILLING = 'https://billing.example/api'

export interface Caller {
  readonly id: string
  readonly secret?: string
}

export interface Answer {
  readonly status: number
  // biome-ignore lint/suspicious/noExplicitAny: tests read responses of every shape
  readonly body: any
}

export type ExchangeWorld = Awaited<ReturnType<typeof createExchangeWorld>>

/** An application that may exchange tokens, unless the metadata says otherwise. */
export const createExchanger = async (
  server: TestServer,
  type: 'Traditional' | 'MachineToMachine' | 'SPA' | 'Native' = 'Traditional',
  metadata: BodyOf<'createApplication'>['customClientMetadata'] = {},
): Promise<Caller> => {
  const { clientId, clientSecret } = await registerApplication(server, type, { allowTokenExchange: true, ...metadata })
  return type === 'SPA' || type === 'Native' ? { id: clientId } : { id: clientId, secret: clientSecret }
}

/** An exchange exactly as given. @param parameters undefined omits a parameter; a list repeats it */
export const exchange = async (
  base: string,
  { id, secret }: Caller,
  parameters: Readonly<Record<string, string | readonly string[] | undefined>>,
): Promise<Answer> => {
  const body = new URLSearchParams()
  for (const [name, value] of Object.entries({ grant_type: GRANT, ...parameters })) {
    for (const each of [value ?? []].flat()) body.append(name, each)
  }
  if (secret === undefined) body.append('client_id', id)
  const response = await fetch(`${base}/oidc/token`, {
    method: 'POST',
    headers:
      secret === undefined ? {} : { authorization: `Basic ${Buffer.from(`${id}:${secret}`).toString('base64')}` },
    body,
  })
  return { status: response.status, body: await response.json() }
}

/** Two APIs with permissions, a role that holds some of both, and applications for people. */
export const createExchangeWorld = async (server: TestServer) => {
  const { client } = server
  const scopeIds: string[] = []
  for (const [name, indicator, permissions] of [
    ['Orders', ORDERS, ['read:orders', 'write:orders']],
    ['Billing', BILLING, ['read:bills', 'pay:bills']],
  ] as const) {
    const { id: resourceId } = await client.createResource({ body: { name, indicator, accessTokenTtl: 900 } })
    for (const permission of permissions) {
      const { id } = await client.createScope({ params: { resourceId }, body: { name: permission } })
      if (!permission.startsWith('write')) scopeIds.push(id)
    }
  }
  const role = await client.createRole({ body: { name: 'Clerk', description: '', type: 'User', scopeIds } })
  const app = await createApp(server, 'SPA')
  const person = async () => {
    const user = await createUser(server)
    await client.addUserRoles({ params: { userId: user.id }, body: { roleIds: [role.id] } })
    return user
  }
  /** The tokens of a signed-in user: for ORDERS, and for userinfo. */
  const tokensOf = async (username: string, through = app) => {
    const begun = await begin(through.configuration, {
      scope: 'openid profile read:orders offline_access',
      resource: ORDERS,
    })
    const tokens = await redeem(through.configuration, await signIn(newBrowser(), begun, username), begun, {
      resource: ORDERS,
    })
    const plain = await begin(through.configuration, { scope: 'openid profile', resource: ORDERS })
    const opaque = await redeem(through.configuration, await signIn(newBrowser(), plain, username), plain)
    return {
      jwt: tokens.access_token,
      idToken: tokens.id_token ?? '',
      refreshToken: tokens.refresh_token ?? '',
      opaque: opaque.access_token,
    }
  }
  const subjectToken = async (userId: string, context?: Record<string, unknown>) =>
    (await client.createSubjectToken({ body: { userId, ...(context ? { context } : {}) } })).subjectToken
  return { app, role, person, tokensOf, subjectToken, backend: await createExchanger(server) }
}
