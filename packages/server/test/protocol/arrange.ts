/** Shared set-up of the protocol tests: an API with permissions, and an application that holds some of them. */
import { Agent, request } from 'node:http'
import { setImmediate as nextTurn } from 'node:timers/promises'
import type { ApiRoutes } from '@countersign/contract/api.ts'
import type { ClientInput } from '@countersign/contract/client.ts'
import type { Credentials } from '@countersign/harness/management-client.ts'
import type { TestServer } from '@countersign/harness/server.ts'
import { decodeJwt } from 'jose'

/** The request body of a route of the Management API. */
export type BodyOf<Id extends keyof ApiRoutes> =
  ClientInput<ApiRoutes[Id]> extends { readonly body: infer Body } ? Body : never

let count = 0
/** A name that is unique among the arrangements of this file. */
export const fresh = (what: string): string => {
  count += 1
  return `${what} ${count}`
}

export const basic = (id: string, secret: string): string =>
  `Basic ${Buffer.from(`${id}:${secret}`).toString('base64')}`

export interface Reply {
  readonly status: number
  readonly headers: Readonly<Record<string, string | string[] | undefined>>
  readonly text: string
  // biome-ignore lint/suspicious/noExplicitAny: tests read responses of every shape
  readonly body: any
}

const parsed = (text: string): unknown => {
  try {
    return text === '' ? undefined : JSON.parse(text)
  } catch {
    return undefined
  }
}

// connections are reused: thousands of requests must not exhaust the ports of the machine
const agent = new Agent({ keepAlive: true, maxSockets: 100 })

/** One request exactly as given: repeated headers, any Host, any bytes. `fetch` would correct or refuse them. */
export const send = (
  url: string,
  {
    method = 'POST',
    headers = {},
    body,
  }: {
    method?: string
    headers?: Readonly<Record<string, string | readonly string[]>>
    body?: string | Uint8Array | undefined
  } = {},
): Promise<Reply> =>
  new Promise((resolve, reject) => {
    const outgoing = request(url, { method, headers: headers as Record<string, string | string[]>, agent })
    outgoing.on('error', reject)
    outgoing.on('response', (incoming) => {
      const chunks: Buffer[] = []
      incoming.on('data', (chunk: Buffer) => chunks.push(chunk))
      incoming.on('error', reject)
      incoming.on('end', () => {
        const text = Buffer.concat(chunks).toString()
        resolve({ status: incoming.statusCode ?? 0, headers: incoming.headers, text, body: parsed(text) })
      })
    })
    outgoing.end(body)
  })

type Form = Readonly<Record<string, string | readonly string[]>>
export const form = (parameters: Form): string =>
  new URLSearchParams(
    Object.entries(parameters).flatMap(([name, values]) =>
      (typeof values === 'string' ? [values] : values).map((value) => [name, value]),
    ),
  ).toString()

export const FORM = 'application/x-www-form-urlencoded'

/** Sends a form to an endpoint of `/oidc`. @param where the server or another node */
export const post = (
  where: { readonly baseUrl: string } | { readonly url: string },
  path: string,
  parameters: Form,
  headers: Readonly<Record<string, string>> = {},
): Promise<Reply> =>
  send(`${'url' in where ? where.url : where.baseUrl}/oidc${path}`, {
    headers: { 'content-type': FORM, ...headers },
    body: form(parameters),
  })

type Client = Pick<Credentials, 'clientId' | 'clientSecret'>
export const authorization = ({ clientId, clientSecret }: Client) => ({ authorization: basic(clientId, clientSecret) })

/** A client_credentials request with Basic. */
export const askToken = (
  where: Parameters<typeof post>[0],
  client: Client,
  parameters: Form = {},
  headers: Readonly<Record<string, string>> = {},
): Promise<Reply> =>
  post(where, '/token', { grant_type: 'client_credentials', ...parameters }, { ...authorization(client), ...headers })

/** Registers an application; returns its credentials if it has any. */
export const registerApplication = async (
  { client }: TestServer,
  type: BodyOf<'createApplication'>['type'] = 'MachineToMachine',
  customClientMetadata: NonNullable<BodyOf<'createApplication'>['customClientMetadata']> = {},
): Promise<Client> => {
  const { id } = await client.createApplication({ body: { name: fresh('Worker'), type, customClientMetadata } })
  const [secret] = await client.listApplicationSecrets({ params: { id } })
  return { clientId: id, clientSecret: secret?.value ?? '' }
}

export interface Arranged {
  readonly resource: { readonly id: string; readonly indicator: string }
  /** The ids of the permissions, by name. */
  readonly scopeIds: Readonly<Record<string, string>>
  readonly roleId: string
  readonly client: Client
}

/**
 * An API with the permissions `read:orders` and `write:orders`, and a machine whose one role holds `held` of them.
 * @param resource fields of the resource in addition to the usual ones
 */
export const arrange = async (
  server: TestServer,
  { held = ['read:orders'], resource: fields = {}, metadata = {} } = {} as {
    held?: readonly string[]
    resource?: Partial<BodyOf<'createResource'>>
    metadata?: NonNullable<BodyOf<'createApplication'>['customClientMetadata']>
  },
): Promise<Arranged> => {
  const { client: management } = server
  const indicator = `https://api.example/${encodeURIComponent(fresh('orders'))}`
  const resource = await management.createResource({ body: { name: 'Orders', indicator, ...fields } })
  const scopeIds: Record<string, string> = {}
  for (const name of new Set(['read:orders', 'write:orders', ...held])) {
    scopeIds[name] = (await management.createScope({ params: { resourceId: resource.id }, body: { name } })).id
  }
  const role = await management.createRole({
    body: { name: fresh('role'), type: 'MachineToMachine', scopeIds: held.map((name) => scopeIds[name] ?? '') },
  })
  const client = await registerApplication(server, 'MachineToMachine', metadata)
  await management.addApplicationRoles({ params: { applicationId: client.clientId }, body: { roleIds: [role.id] } })
  return { resource, scopeIds, roleId: role.id, client }
}

/** A token for the arranged API, with its claims. */
export const issue = async (
  where: Parameters<typeof post>[0],
  { client, resource }: Pick<Arranged, 'client' | 'resource'>,
  scope = 'read:orders write:orders',
) => {
  const { status, body } = await askToken(where, client, { resource: resource.indicator, scope })
  if (status !== 200) throw new Error(`no token was issued: ${JSON.stringify(body)}`)
  const token = body.access_token as string
  return { token, claims: decodeJwt(token), body }
}

/**
 * Polls until the condition holds; fails when the deadline has passed. This is a limit, not a measurement: on a
 * busy machine it polls at least three times.
 */
export const eventually = async (what: string, milliseconds: number, isSo: () => Promise<boolean>): Promise<void> => {
  const deadline = performance.now() + milliseconds
  for (let tries = 1; !(await isSo()); tries += 1) {
    if (performance.now() > deadline && tries >= 3) throw new Error(`${what}: not so within ${milliseconds} ms`)
    await nextTurn()
  }
}
