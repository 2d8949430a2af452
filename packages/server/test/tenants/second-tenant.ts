/** A second tenant in addition to the default one, on its own host name of the same server. */
import { API_ROUTES } from '@countersign/contract/api.ts'
import type { Credentials } from '@countersign/harness/management-client.ts'
import type { TestServer } from '@countersign/harness/server.ts'
import { setUpTenant } from '../../src/domain/setup/tenant-setup.ts'
import { systemCaller } from '../../src/kernel/caller.ts'
import { tenantAt } from '../../src/kernel/tenant.ts'
import { perform } from '../../src/storage/unit-of-work.ts'
import { encodedForm } from '../management/arrange.ts'
import { authorization, FORM, form, type Reply, send } from '../protocol/arrange.ts'

export interface OnHost {
  readonly host: string
  readonly credentials: Credentials
  /** A request to the server under this tenant's host name. */
  request(
    method: string,
    path: string,
    options?: { token?: string; body?: unknown; headers?: Record<string, string> },
  ): Promise<Reply>
  token(scope?: string, client?: Credentials): Promise<Reply>
}

/** A tenant as a client reaches it; uses node:http, because fetch cannot set Host. */
export const onHost = ({ baseUrl }: TestServer, host: string, credentials: Credentials): OnHost => ({
  host,
  credentials,
  request: async (method, path, { token, body, headers = {} } = {}) => {
    const form = body instanceof FormData ? await encodedForm(body) : undefined
    return send(`${baseUrl}${path}`, {
      method,
      headers: {
        host,
        ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
        ...(body === undefined ? {} : { 'content-type': form?.contentType ?? 'application/json' }),
        ...headers,
      },
      body: form?.bytes ?? (body === undefined ? undefined : JSON.stringify(body)),
    })
  },
  token: (scope = 'all', client = credentials) =>
    send(`${baseUrl}/oidc/token`, {
      headers: { host, 'content-type': FORM, ...authorization(client) },
      body: form({ grant_type: 'client_credentials', resource: client.resource, scope }),
    }),
})

/** Sets up a tenant at a base URL; also returns the default tenant as it is reached now. */
export const withSecondTenant = async (server: TestServer, id: string, baseUrl: string) => {
  const tenant = tenantAt(id, id, baseUrl)
  const { store } = server
  const credentials = await perform({ store, tenant, caller: systemCaller('test') }, setUpTenant)
  return {
    a: onHost(server, new URL(server.baseUrl).host, server.credentials),
    b: onHost(server, new URL(baseUrl).host, credentials),
  }
}

/** Routes of the contract that belong to a tenant. */
export const OF_TENANT = API_ROUTES.filter(({ permission }) => permission !== null)
