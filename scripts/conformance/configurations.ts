// Prepares what a plan of the suite needs at a server, by the Management API, and writes the configuration that the suite takes. What
// is there already stays: a second run changes nothing.
import { join } from 'node:path'
import { type Client, createClient } from '../../packages/contract/src/client.ts'
import { managementToken } from '../../packages/contract/src/client-token.ts'
import { browserOf, PERSON } from './browser.ts'
import { certificateOf, keyOf, publicOf } from './keys.ts'
import type { ConfigurationName } from './plans.ts'

export interface Target {
  readonly credentials: {
    readonly baseUrl: string
    readonly clientId: string
    readonly clientSecret: string
    readonly resource: string
  }
  /** The address of the suite, without a slash at its end. */
  readonly suite: string
  /** Where keys and certificates of the suite's clients are kept. */
  readonly folder: string
}

type Fields = Readonly<Record<string, unknown>>
type Application = Parameters<Client['createApplication']>[0]['body']

const ALIAS = 'countersign'
const LOGOUT_ALIAS = 'countersign-logout'

export const createPreparation = ({ credentials, suite, folder }: Target) => {
  const base = credentials.baseUrl
  const api = createClient({ baseUrl: base, token: managementToken(credentials) })
  const homeOf = (alias: string) => `${suite}/test/a/${alias}`

  const ensurePerson = async () => {
    const [known] = await api.listUsers({ query: { 'search.username': PERSON.username } })
    if (!known) await api.createUser({ body: PERSON })
  }

  /** The id of the application with this name, made if there is none. */
  const ensureApplication = async (name: string, settings: Omit<Application, 'name' | 'type'>): Promise<string> => {
    const found = await api.listApplications({ query: { search: name } })
    const known = found.find((each) => each.name === name)
    return (known ?? (await api.createApplication({ body: { name, type: 'Traditional', ...settings } }))).id
  }

  const withSecret = async (name: string, alias: string, method: string, oidc: Fields = {}) => {
    const id = await ensureApplication(name, {
      oidcClientMetadata: {
        redirectUris: [`${homeOf(alias)}/callback`],
        postLogoutRedirectUris: [`${homeOf(alias)}/post_logout_redirect`],
        ...oidc,
      },
      customClientMetadata: { tokenEndpointAuthMethod: method },
    } as Omit<Application, 'name' | 'type'>)
    const [secret] = await api.listApplicationSecrets({ params: { id } })
    return { client_id: id, client_secret: secret?.value ?? '' }
  }

  const common = (alias: string) => ({
    alias,
    description: 'Countersign',
    server: { discoveryUrl: `${base}/oidc/.well-known/openid-configuration` },
    browser: browserOf(base, homeOf(alias)),
  })

  /** Clients with secrets; the first is told of logouts, or not. */
  const byDiscovery = async (alias: string, first: string, oidc: Fields) => ({
    ...common(alias),
    client: await withSecret(first, alias, 'client_secret_basic', oidc),
    client2: await withSecret('Suite, second client', ALIAS, 'client_secret_basic'),
    client_secret_post: await withSecret('Suite, secret in the body', ALIAS, 'client_secret_post'),
  })

  const redirects = {
    redirectUris: ['', '?dummy1=lorem&dummy2=ipsum'].map((query) => `${homeOf(ALIAS)}/callback${query}`),
  }
  const ofProfile = (name: string, custom: Fields) =>
    ensureApplication(name, {
      oidcClientMetadata: { ...redirects, postLogoutRedirectUris: [] },
      customClientMetadata: { securityProfile: 'fapi2', ...custom },
    } as Omit<Application, 'name' | 'type'>)

  const byKey = async (name: string) => {
    const jwks = keyOf(folder, name)
    const custom = { tokenEndpointAuthMethod: 'private_key_jwt', jwks: publicOf(jwks) }
    return { client_id: await ofProfile(name, custom), scope: 'openid offline_access', jwks }
  }

  const byCertificate = async (name: string) => {
    const certificate = certificateOf(folder, name, `/CN=${name}`)
    const custom = {
      tokenEndpointAuthMethod: 'tls_client_auth',
      tlsClientAuthSubjectDn: `CN=${name}`,
      // it certifies itself
      tlsClientAuthCertificates: [certificate.cert],
      tlsClientCertificateBoundAccessTokens: true,
    }
    return { client: { client_id: await ofProfile(name, custom), scope: 'openid offline_access' }, certificate }
  }

  const resource = { resourceUrl: `${base}/oidc/me` }
  const makers: Readonly<Record<ConfigurationName, () => Promise<Fields>>> = {
    oidc: () => byDiscovery(ALIAS, 'Suite', {}),
    logout: () =>
      byDiscovery(LOGOUT_ALIAS, 'Suite, told of logouts', {
        backchannelLogoutUri: `${homeOf(LOGOUT_ALIAS)}/backchannel_logout`,
        backchannelLogoutSessionRequired: true,
      }),
    dynamic: async () => {
      await api.updateClientRegistration({ body: { mode: 'open' } })
      return common(ALIAS)
    },
    fapi2: async () => ({
      ...common(ALIAS),
      client: await byKey('fapi-first'),
      client2: await byKey('fapi-second'),
      resource,
    }),
    'fapi2-mtls': async () => {
      const [first, second] = [await byCertificate('fapi-tls-first'), await byCertificate('fapi-tls-second')]
      return {
        ...common(ALIAS),
        ...{
          client: first.client,
          mtls: first.certificate,
          client2: second.client,
          mtls2: second.certificate,
          resource,
        },
      }
    },
  }
  return {
    ensurePerson,
    make: (name: ConfigurationName) => makers[name](),
    fileOf: (name: ConfigurationName) => join(folder, `conformance-${name}.json`),
  }
}
