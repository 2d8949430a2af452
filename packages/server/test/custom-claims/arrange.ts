/**
 * Shared set-up of the tests of custom claims: setting a script, and tokens of machines and users for which it runs.
 */
import type { TestServer } from '@countersign/harness/server.ts'
import { decodeJwt } from 'jose'
import {
  type Answer,
  BILLING,
  createExchanger,
  createExchangeWorld,
  exchange,
  ORDERS,
} from '../token-exchange/arrange.ts'

export type TokenType = 'access-token' | 'client-credentials'

/** Sets the script whose function has this body; it sees `token`, `context`, `environmentVariables` and `api`. */
export const setScript = ({ api }: TestServer, tokenType: TokenType, body: string, more: object = {}) =>
  api('PUT', `/configs/jwt-customizer/${tokenType}`, { script: functionOf(body), ...more })

export const functionOf = (body: string): string =>
  `const getCustomJwtClaims = async ({ token, context, environmentVariables, api }) => { ${body} }`

/** A machine that may request `read:orders`. */
const createMachine = async ({ api, baseUrl }: TestServer) => {
  const { body: resources } = await api('GET', '/resources?includeScopes=true')
  const orders = resources.find(({ indicator }: { indicator: string }) => indicator === ORDERS)
  const scopeIds = orders.scopes.flatMap(({ id, name }: { id: string; name: string }) =>
    name === 'read:orders' ? [id] : [],
  )
  const { body: application } = await api('POST', '/applications', { name: 'Machine', type: 'MachineToMachine' })
  const role = await api('POST', '/roles', { name: `Reader ${application.id}`, type: 'MachineToMachine', scopeIds })
  await api('POST', `/applications/${application.id}/roles`, { roleIds: [role.body.id] })
  const { body: secrets } = await api('GET', `/applications/${application.id}/secrets`)
  const basic = Buffer.from(`${application.id}:${secrets[0].value}`).toString('base64')
  const ask = async (more: Record<string, string> = {}): Promise<Answer> => {
    const response = await fetch(`${baseUrl}/oidc/token`, {
      method: 'POST',
      headers: { authorization: `Basic ${basic}` },
      body: new URLSearchParams({ grant_type: 'client_credentials', resource: ORDERS, scope: 'read:orders', ...more }),
    })
    return { status: response.status, body: await response.json() }
  }
  return { id: application.id as string, secret: secrets[0].value as string, ask }
}

/** Everything that token requests need. */
export const createClaimsWorld = async (server: TestServer) => {
  const world = await createExchangeWorld(server)
  const user = await world.person()
  return { ...world, user, machine: await createMachine(server), exchanger: await createExchanger(server) }
}

export type ClaimsWorld = Awaited<ReturnType<typeof createClaimsWorld>>

/** A token of the user, by an exchange of a subject token. */
export const impersonate = async (
  server: TestServer,
  world: ClaimsWorld,
  context?: Record<string, unknown>,
): Promise<Answer> =>
  exchange(server.baseUrl, world.exchanger, {
    subject_token: await world.subjectToken(world.user.id, context),
    subject_token_type: 'urn:ietf:params:oauth:token-type:access_token',
    resource: BILLING,
    scope: 'read:bills',
  })

export const claimsOf = ({ body }: Answer): Record<string, unknown> => decodeJwt(body.access_token)

/** The payload of the last entry of the audit log with this key. */
export const lastEntry = async ({ api }: TestServer, key: string) =>
  (await api('GET', `/logs?logKey=${key}&page_size=1`)).body[0].payload
