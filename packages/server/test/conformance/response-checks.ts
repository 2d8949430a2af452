/** The checks of each response of a flow: authorization response and error, token response, ID token, userinfo. */
import { createHash } from 'node:crypto'
import { decodeProtectedHeader, type JWTPayload, jwtVerify } from 'jose'
import { expect } from 'vitest'
import type { Page } from '../sign-in/browser.ts'
import type { Provider } from './provider.ts'

export interface AuthorizationRequest {
  readonly url: URL
  readonly clientId: string
  readonly redirectUri: string
  readonly responseMode: 'query' | 'form_post'
  readonly state: string | undefined
  readonly nonce: string | undefined
  readonly scope: string
}

export interface Tokens {
  readonly accessToken: string
  readonly refreshToken: string | undefined
  readonly idToken: string
  readonly claims: JWTPayload
  readonly scope: string | undefined
}

export type UserinfoClaims = Readonly<Record<string, unknown>>

/** The standard claims that are strings (OpenID Connect Core section 5.1). */
const STRINGS = [
  ...['sub', 'name', 'given_name', 'family_name', 'middle_name', 'nickname', 'preferred_username', 'profile'],
  ...['picture', 'website', 'email', 'gender', 'birthdate', 'zoneinfo', 'locale', 'phone_number'],
]
const ADDRESS_MEMBERS = ['formatted', 'street_address', 'locality', 'region', 'postal_code', 'country']

const attribute = (tag: string, name: string): string =>
  (new RegExp(`\\s${name}="([^"]*)"`).exec(tag)?.[1] ?? '')
    .replaceAll('&#39;', "'")
    .replaceAll('&quot;', '"')
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&amp;', '&')

/** What the page of form_post would send when its button is pressed (OAuth 2.0 Form Post Response Mode, section 2). */
const postedParameters = (page: Page, { redirectUri }: AuthorizationRequest): URLSearchParams => {
  expect(page.status).toBe(200)
  expect(page.headers.get('content-type')).toMatch(/^text\/html/)
  expect(page.url.searchParams.has('code'), 'the code is not in an address').toBe(false)
  expect(page.url.searchParams.has('error'), 'the error is not in an address').toBe(false)
  const [form = '', ...others] = page.text.match(/<form[^>]*>/g) ?? []
  expect(others).toEqual([])
  expect(attribute(form, 'method').toLowerCase()).toBe('post')
  expect(attribute(form, 'action')).toBe(redirectUri)
  expect(['', 'application/x-www-form-urlencoded']).toContain(attribute(form, 'enctype'))
  // without JavaScript a user, or the suite's browser, presses the one button; the CSP of the page allows the form
  expect(page.text.match(/<button[^>]*>/g)).toEqual(['<button id="continue" type="submit">'])
  const formAction = /form-action ([^;]*)/.exec(page.headers.get('content-security-policy') ?? '')?.[1] ?? ''
  expect(formAction.split(' ')).toContain(new URL(redirectUri).protocol)
  expect(page.headers.get('cache-control')).toContain('no-store')
  const fields = page.text.match(/<input type="hidden"[^>]*>/g) ?? []
  return new URLSearchParams(fields.map((tag) => [attribute(tag, 'name'), attribute(tag, 'value')]))
}

const redirectedParameters = (page: Page, { redirectUri }: AuthorizationRequest): URLSearchParams => {
  const registered = new URL(redirectUri)
  expect([302, 303]).toContain(page.status)
  expect(`${page.url.origin}${page.url.pathname}`).toBe(`${registered.origin}${registered.pathname}`)
  expect(page.url.hash, 'nothing is in the fragment').toBe('')
  // the query of the registered URI is unchanged (RFC 6749 section 3.1.2)
  for (const [name, value] of registered.searchParams) expect(page.url.searchParams.getAll(name)).toEqual([value])
  return new URLSearchParams([...page.url.searchParams].filter(([name]) => !registered.searchParams.has(name)))
}

/** Where the response is, each parameter once, `state` as sent, `iss` that of discovery (RFC 9207 section 2). */
const checkedParameters = (
  provider: Provider,
  page: Page,
  request: AuthorizationRequest,
): Readonly<Record<string, string>> => {
  const isPosted = request.responseMode === 'form_post'
  const parameters = isPosted ? postedParameters(page, request) : redirectedParameters(page, request)
  const names = [...parameters.keys()]
  expect(new Set(names).size, 'no parameter is repeated').toBe(names.length)
  expect(parameters.get('state') ?? undefined).toBe(request.state)
  expect(parameters.get('iss')).toBe(provider.metadata.issuer)
  return Object.fromEntries(parameters)
}

/** A successful authorization response: a code, and nothing that was not requested (RFC 6749 section 4.1.2). */
export const checkAuthorizationResponse = (provider: Provider, page: Page, request: AuthorizationRequest): string => {
  const { code, ...others } = checkedParameters(provider, page, request)
  expect(others).not.toHaveProperty('error')
  expect(Object.keys(others).sort()).toEqual(request.state === undefined ? ['iss'] : ['iss', 'state'])
  expect(code).toMatch(/^[\x20-\x7e]+$/)
  return code ?? ''
}

/** An authorization error: a well-formed `error` and no code (RFC 6749 section 4.1.2.1, Core section 3.1.2.6). */
export const checkAuthorizationError = (provider: Provider, page: Page, request: AuthorizationRequest): string => {
  const { error, ...others } = checkedParameters(provider, page, request)
  const known = ['error_description', 'error_uri', 'iss', 'state']
  expect(Object.keys(others).filter((name) => !known.includes(name))).toEqual([])
  expect(error).toMatch(/^[\x20\x21\x23-\x5b\x5d-\x7e]+$/)
  expect(others.error_description ?? '').toMatch(/^[\x20\x21\x23-\x5b\x5d-\x7e]*$/)
  expect(others.error_uri ?? '').toMatch(/^[\x21\x23-\x5b\x5d-\x7e]*$/)
  return error ?? ''
}

/** The standard claims that are present have the type of OpenID Connect Core section 5.1, and are not empty. */
const checkStandardClaims = (claims: Readonly<Record<string, unknown>>, now: Date): void => {
  for (const name of STRINGS) {
    if (!(name in claims)) continue
    expect(claims[name], name).toMatch(/\S/)
    expect(claims[name], name).not.toMatch(/^null$/i)
  }
  for (const name of ['email_verified', 'phone_number_verified'])
    if (name in claims) expect(claims[name], name).toBeTypeOf('boolean')
  if ('birthdate' in claims)
    expect(claims.birthdate).toMatch(/^(?:\d{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|[12]\d|3[01])|\d{4})$/)
  if ('updated_at' in claims) {
    // in seconds: a value in milliseconds would be far in the future
    expect(claims.updated_at).toBeGreaterThan(631_152_000)
    expect(claims.updated_at).toBeLessThanOrEqual(now.getTime() / 1000 + 300)
  }
  if ('address' in claims) {
    const members = Object.entries(claims.address as object).filter(([name]) => ADDRESS_MEMBERS.includes(name))
    expect(members).not.toHaveLength(0)
    for (const [name, value] of members) expect(value, name).toMatch(/\S/)
  }
}

/** OpenID Connect Core section 3.1.3.6. */
const leftHalf = (value: string, algorithm: string): string => {
  const bits = algorithm === 'EdDSA' || algorithm === 'Ed25519' ? '512' : algorithm.slice(-3)
  const digest = createHash(`sha${bits}`).update(value).digest()
  return digest.subarray(0, digest.length / 2).toString('base64url')
}

/** OpenID Connect Core section 3.1.3.7, and what section 2 requires of each claim. @param now the server's time */
const checkIdToken = async (
  { metadata, keyOf, jwks }: Provider,
  idToken: string,
  accessToken: string,
  request: Pick<AuthorizationRequest, 'clientId' | 'nonce'>,
  now: Date,
): Promise<JWTPayload> => {
  const { alg = '', kid } = decodeProtectedHeader(idToken)
  expect(alg).not.toBe('none')
  expect(metadata.id_token_signing_alg_values_supported).toContain(alg)
  expect(jwks.keys.filter((key) => key.kid === kid && key.alg === alg)).toHaveLength(1)
  const options = { issuer: metadata.issuer, audience: request.clientId, currentDate: now }
  const { payload } = await jwtVerify(idToken, keyOf, {
    ...options,
    requiredClaims: ['sub', 'exp', 'iat', 'auth_time'],
  })
  const seconds = Math.floor(now.getTime() / 1000)
  expect(payload.aud).toBe(request.clientId)
  expect(payload.azp ?? request.clientId).toBe(request.clientId)
  expect(Math.abs(seconds - (payload.iat ?? 0))).toBeLessThanOrEqual(300)
  expect(payload.auth_time).toBeTypeOf('number')
  expect(payload.auth_time).toBeLessThanOrEqual(seconds)
  expect(payload.sub).toMatch(/^[\x20-\x7e]{1,255}$/)
  expect(payload.nonce).toBe(request.nonce)
  if (payload.acr !== undefined) expect(payload.acr).toMatch(/./)
  if (payload.amr !== undefined)
    expect((payload.amr as unknown[]).every((method) => typeof method === 'string')).toBe(true)
  expect(payload.at_hash ?? leftHalf(accessToken, alg)).toBe(leftHalf(accessToken, alg))
  checkStandardClaims(payload, now)
  return payload
}

/** A successful token response of the code flow (RFC 6749 section 5.1, OpenID Connect Core section 3.1.3.3). */
export const checkTokenResponse = async (
  provider: Provider,
  response: Response,
  request: Pick<AuthorizationRequest, 'clientId' | 'nonce'>,
  now: Date,
): Promise<Tokens> => {
  expect(response.status).toBe(200)
  expect(response.headers.get('content-type')).toMatch(/^application\/json(;|$)/)
  expect(response.headers.get('cache-control')).toContain('no-store')
  const body = (await response.json()) as Record<string, unknown>
  expect(body).not.toHaveProperty('error')
  expect(String(body.token_type).toLowerCase()).toBe('bearer')
  expect(body.access_token).toMatch(/^[A-Za-z0-9\-._~+/]+=*$/)
  expect(body.expires_in).toBeTypeOf('number')
  expect(body.expires_in).toBeGreaterThan(0)
  expect(body.expires_in).toBeLessThanOrEqual(31_536_000)
  const [accessToken, idToken] = [String(body.access_token), String(body.id_token)]
  const claims = await checkIdToken(provider, idToken, accessToken, request, now)
  const refreshToken = body.refresh_token as string | undefined
  return { accessToken, idToken, claims, refreshToken, scope: body.scope as string | undefined }
}

/** An error of the token endpoint (RFC 6749 section 5.2). */
export const checkTokenError = async (response: Response): Promise<string> => {
  expect([400, 401]).toContain(response.status)
  expect(response.headers.get('content-type')).toMatch(/^application\/json(;|$)/)
  expect(response.headers.get('cache-control')).toContain('no-store')
  const body = (await response.json()) as Record<string, string>
  const known = ['error', 'error_description', 'error_uri', 'code', 'message', 'request_id']
  expect(Object.keys(body).filter((name) => !known.includes(name))).toEqual([])
  expect(body.error).toMatch(/^[\x20\x21\x23-\x5b\x5d-\x7e]+$/)
  expect(body.error_description ?? '').toMatch(/^[\x20\x21\x23-\x5b\x5d-\x7e]*$/)
  return body.error ?? ''
}

/** A userinfo response: the subject of the ID token, every claim of its type (OpenID Connect Core section 5.3). */
export const checkUserinfo = async (
  response: Response,
  subject: string | undefined,
  now: Date,
): Promise<UserinfoClaims> => {
  expect(response.status).toBe(200)
  expect(response.headers.get('content-type')).toMatch(/^application\/json(;|$)/)
  const claims = (await response.json()) as UserinfoClaims
  expect(claims.sub).toMatch(/\S/)
  expect(claims.sub).toBe(subject)
  checkStandardClaims(claims, now)
  return claims
}

/** Estimated bits of a value: Shannon entropy of its own characters. */
const shannonBits = (value: string): number => {
  const counts = new Map<string, number>()
  for (const character of value) counts.set(character, (counts.get(character) ?? 0) + 1)
  return [...counts.values()].reduce((bits, count) => bits + count * Math.log2(value.length / count), 0)
}

/** RFC 6749 section 10.10: it cannot be guessed. 128 bits are required; the estimate is rough, so 96 are enough. */
export const checkUnguessable = (value: string): void => {
  expect(value.length * 8).toBeGreaterThanOrEqual(128)
  expect(shannonBits(value)).toBeGreaterThan(96)
}
