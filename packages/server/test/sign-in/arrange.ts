/** What the tests of sign-in share: an application, a user, and an authorization request. */
import { randomBytes } from 'node:crypto'
import type { TestServer } from '@countersign/harness/server.ts'
import * as client from 'openid-client'
import type { BodyOf } from '../protocol/arrange.ts'
import { Browser, type Page } from './browser.ts'

export const CALLBACK = 'https://app.example/callback'
export const PASSWORD = 'correct horse battery'

export const createApp = async (
  { client: management, baseUrl }: TestServer,
  type: 'SPA' | 'Native' | 'Traditional' = 'Traditional',
  more: Pick<BodyOf<'createApplication'>, 'customClientMetadata' | 'isThirdParty'> = {},
) => {
  const oidcClientMetadata = { redirectUris: [CALLBACK], postLogoutRedirectUris: ['https://app.example/bye'] }
  const { id } = await management.createApplication({ body: { name: 'Notes', type, oidcClientMetadata, ...more } })
  const [secret] = type === 'Traditional' ? await management.listApplicationSecrets({ params: { id } }) : []
  const authentication = secret ? client.ClientSecretBasic(secret.value) : client.None()
  const configuration = await client.discovery(new URL(`${baseUrl}/oidc`), id, undefined, authentication, {
    execute: [client.allowInsecureRequests],
  })
  return { id, configuration }
}

export const createUser = async (
  { client: management }: TestServer,
  username = `user_${randomBytes(4).toString('hex')}`,
) => {
  const { id } = await management.createUser({ body: { username, password: PASSWORD } })
  return { id, username }
}

export interface Begun {
  readonly url: URL
  readonly verifier: string
  readonly state: string
  readonly nonce: string
}

/** An authorization request as openid-client makes it. */
export const begin = async (
  configuration: client.Configuration,
  parameters: Record<string, string> = {},
): Promise<Begun> => {
  const verifier = client.randomPKCECodeVerifier()
  const [state, nonce] = [client.randomState(), client.randomNonce()]
  const url = client.buildAuthorizationUrl(configuration, {
    redirect_uri: CALLBACK,
    scope: 'openid profile',
    code_challenge: await client.calculatePKCECodeChallenge(verifier),
    code_challenge_method: 'S256',
    state,
    nonce,
    ...parameters,
  })
  return { url, verifier, state, nonce }
}

/** @param alsoAt where it stops beside the application */
export const newBrowser = (...alsoAt: readonly string[]) => new Browser('https://app.example/', ...alsoAt)

/** Signs in through the pages; returns where the browser ends. */
export const signIn = async (browser: Browser, begun: Begun, username: string, password = PASSWORD): Promise<Page> => {
  const page = await browser.open(begun.url)
  return browser.submit(page, { identifier: username, password })
}

/** Redeems the code that the browser came back with, as openid-client does it, with all that it checks. */
export const redeem = (
  configuration: client.Configuration,
  { url }: Page,
  { verifier, state, nonce }: Begun,
  parameters: Record<string, string> = {},
) =>
  client.authorizationCodeGrant(
    configuration,
    url,
    { pkceCodeVerifier: verifier, expectedState: state, expectedNonce: nonce },
    parameters,
  )
