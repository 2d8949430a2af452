/** The server as the model of grants sees it: performs steps, and checks whether a token is alive. */
import { managementClient } from '@countersign/harness/management-client.ts'
import type { TestServer } from '@countersign/harness/server.ts'
import { expect } from 'vitest'
import { authorization, fresh, post, type Reply, registerApplication, send } from '../protocol/arrange.ts'
import { CALLBACK, newBrowser, PASSWORD } from '../sign-in/arrange.ts'
import type { Browser } from '../sign-in/browser.ts'
import { createApi, createRole } from '../sign-in/user-tokens.ts'
import type { App, Kind, User } from './grant-model.ts'

/** An API with the permission `read`, a role that holds it, and what follows. */
export const createWorld = async (server: TestServer) => {
  const api = await createApi(server, ['read'])
  const roleId = await createRole(server, [api.scopeIds.read])
  const auditor = await registerApplication(server, 'Traditional', { dangerouslyIntrospectAllTokens: true })

  /** A client with a token issued just now: the clock is advanced by days. */
  const manage = () => managementClient(server.baseUrl, server.credentials)

  const browsers = new Map<User, Browser>()
  const browserOf = (user: User): Browser => {
    const known = browsers.get(user) ?? newBrowser()
    browsers.set(user, known)
    return known
  }

  /** A request of an application, authenticated as its type requires. */
  const ask = ({ id, secret }: App, parameters: Record<string, string>, path = '/token'): Promise<Reply> =>
    secret === undefined
      ? post(server, path, { client_id: id, ...parameters })
      : post(server, path, parameters, authorization({ clientId: id, clientSecret: secret }))

  const createUser = async (): Promise<User> => {
    const username = fresh('user').replace(' ', '_')
    const { body } = await manage()('POST', '/users', { username, password: PASSWORD })
    await manage()('POST', `/users/${body.id}/roles`, { roleIds: [roleId] })
    return {
      id: body.id,
      username,
      password: PASSWORD,
      exists: true,
      isSuspended: false,
      isHolder: true,
      session: undefined,
    }
  }
  const createApp = async (kind: Kind): Promise<App> => {
    const { body } = await manage()('POST', '/applications', {
      name: 'Notes',
      type: kind === 'public' ? 'SPA' : 'Traditional',
      oidcClientMetadata: { redirectUris: [CALLBACK] },
      customClientMetadata: kind === 'confidential, rotating' ? { rotateRefreshToken: true } : {},
    })
    const secrets = kind === 'public' ? [] : (await manage()('GET', `/applications/${body.id}/secrets`)).body
    return { id: body.id, secret: secrets[0]?.value, kind, exists: true }
  }

  const introspects = async (token: string): Promise<boolean> => {
    const { status, body } = await post(server, '/token/introspection', { token }, authorization(auditor))
    expect(status).toBe(200)
    return body.active
  }
  const userinfo = async (token: string): Promise<boolean> => {
    const headers = { authorization: `Bearer ${token}` }
    const { status } = await send(`${server.issuer}/me`, { method: 'GET', headers })
    expect([200, 401]).toContain(status)
    return status === 200
  }

  return { api, roleId, manage, createUser, createApp, introspects, userinfo, browserOf, ask }
}
export type World = Awaited<ReturnType<typeof createWorld>>
