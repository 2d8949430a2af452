/**
 * What the modules of logout share: endpoints of discovery, the request to the end_session_endpoint, the redirect back
 * from it, and proof that the session has ended.
 */
import { randomBytes } from 'node:crypto'
import { expect } from 'vitest'
import type { Browser, Page } from '../sign-in/browser.ts'
import type { Provider } from './provider.ts'
import { type Flow, newBrowser, type Person, POST_LOGOUT_REDIRECT_URI, type RelyingParty } from './relying-party.ts'

/** Every endpoint in discovery has a valid address, and that of logout is among them. */
export const checkEndpoints = ({ metadata }: Provider): void => {
  const endpoints = Object.entries(metadata).filter(([name]) => name.endsWith('_endpoint'))
  expect(endpoints.map(([name]) => name)).toContain('end_session_endpoint')
  for (const [name, address] of endpoints) {
    expect(address, name).toBeTypeOf('string')
    expect(URL.canParse(String(address)), name).toBe(true)
  }
}

export interface LogoutRequest {
  readonly id_token_hint?: string
  readonly client_id?: string
  readonly post_logout_redirect_uri?: string
  readonly state?: string
}

/** 128 characters, which an authorization response must not cut or change. */
const longState = (): string => randomBytes(64).toString('hex')

/** What a module of logout starts from: a signed-in user. */
export const signedIn = (party: RelyingParty, person: Person): Promise<Flow> =>
  party.flow({ person, browser: newBrowser(), parameters: { state: longState() } })

/** Every printable character of VSCHAR but the space (RFC 6749 appendix A.5), after an unguessable part. */
const logoutState = (): string => `${randomBytes(20).toString('hex')}!"#$%&'()*+,-./:;<=>?@[\\]^_\`{|}~`

/** The whole request: hint, post-logout redirect URI, state. */
export const wholeRequest = ({ tokens }: Flow) => ({
  id_token_hint: tokens.idToken,
  post_logout_redirect_uri: POST_LOGOUT_REDIRECT_URI,
  state: logoutState(),
})

/** Escapes what a query must not hold and leaves `/?:@!$'()*,;` as they are, which is how the suite sends a value. */
const queryValue = (value: string): string =>
  encodeURI(value).replaceAll(/[&=+#]/g, (character) => encodeURIComponent(character))

/** Sends the browser to the end_session_endpoint; returns where it ends up. */
export const endSession = ({ provider }: RelyingParty, browser: Browser, request: LogoutRequest): Promise<Page> => {
  const pairs = Object.entries(request).map(([name, value]) => `${name}=${queryValue(String(value))}`)
  const query = pairs.length === 0 ? '' : `?${pairs.join('&')}`
  return browser.open(`${provider.metadata.end_session_endpoint}${query}`)
}

/** RP-Initiated Logout section 3: the registered address, with the state if one was sent, and nothing else. */
export const checkReturn = ({ status, url }: Page, state: string | undefined): void => {
  expect([302, 303]).toContain(status)
  expect(url.href.split('?')[0]).toBe(POST_LOGOUT_REDIRECT_URI)
  expect(url.hash).toBe('')
  expect([...url.searchParams]).toEqual(state === undefined ? [] : [['state', state]])
}

/** The response to prompt=none; a sign-in page does not count as one. */
const silently = async (party: RelyingParty, browser: Browser) => {
  const request = party.begin({ state: longState(), prompt: 'none' })
  return { request, page: await browser.open(request.url) }
}

/**
 * No user is signed in any longer: prompt=none is answered with a well-formed error (OpenID Connect Core section
 * 3.1.2.6).
 */
export const checkSignedOut = async (party: RelyingParty, browser: Browser): Promise<void> => {
  const { request, page } = await silently(party, browser)
  expect(party.errorOf(page, request)).toBe('login_required')
}

/** The session lives on: prompt=none returns a code. */
export const checkStillSignedIn = async (party: RelyingParty, browser: Browser): Promise<void> => {
  const { request, page } = await silently(party, browser)
  expect(party.codeOf(page, request)).not.toBe('')
}
