/**
 * The modules of oidcc-basic-certification-test-plan, and of oidcc-formpost-basic-certification-test-plan, about what a
 * request may contain, and how the user is prompted.
 */
import { startTestServer, type TestServer } from '@countersign/harness/server.ts'
import { UnsecuredJWT } from 'jose'
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import { PASSWORD } from '../sign-in/arrange.ts'
import type { Browser, Page } from '../sign-in/browser.ts'
import { checkScopeClaims, createPerson } from './person.ts'
import {
  BASIC_PLANS,
  createRelyingParty,
  newBrowser,
  type Person,
  REDIRECT_URI,
  type RelyingParty,
} from './relying-party.ts'
import type { AuthorizationRequest, Tokens } from './response-checks.ts'

let server: TestServer
let person: Person
beforeAll(async () => {
  server = await startTestServer(inject('cluster'))
  person = await createPerson(server)
})
afterAll(() => server.close())

type Parameters = Readonly<Record<string, string | undefined>>

/** What a reviewer must see in a screenshot of the sign-in page. */
const isSignInPage = ({ url, status, text }: Page, language = 'en'): void => {
  expect(status).toBe(200)
  expect(`${url.origin}${url.pathname}`).toMatch(new RegExp(`^${server.baseUrl}/sign-in/`))
  expect(text).toContain(`<html lang="${language}"`)
  for (const id of ['title', 'identifier', 'password', 'submit']) expect(text).toContain(`id="${id}"`)
}

/** And on an error page without a redirect: what is wrong, and no way to continue. */
const isErrorPage = ({ url, status, headers, text }: Page, sentence: RegExp): void => {
  expect(status).toBe(400)
  expect(url.origin).toBe(server.baseUrl)
  expect(headers.get('content-type')).toMatch(/^text\/html/)
  expect(text).toContain('<h1 id="title">This did not work</h1>')
  expect(/id="explanation">([^<]+)</.exec(text)?.[1]).toMatch(sentence)
  expect(text).not.toContain('<form')
}

const NOT_REGISTERED = /asked to return you to an address that is not registered/

describe.each(BASIC_PLANS)('%s', (_plan, responseMode) => {
  let party: RelyingParty
  beforeAll(async () => {
    party = await createRelyingParty(server, { responseMode })
  })

  /** The rest of a flow whose authorization response is this page. */
  const finishes = async (page: Page, request: AuthorizationRequest) => {
    const tokens = await party.redeem(party.codeOf(page, request), request)
    expect(tokens.claims.sub).toBe(person.id)
    const userinfo = await party.userinfo(tokens)
    checkScopeClaims(request.scope, { tokens, userinfo })
    return { tokens, userinfo }
  }

  /** The rest of a flow whose first page must be that of sign-in. */
  const signsInAt = async (page: Page, browser: Browser, request: AuthorizationRequest, language?: string) => {
    isSignInPage(page, language)
    const back = await browser.submit(page, { identifier: person.username, password: PASSWORD })
    return { page, browser, ...(await finishes(back, request)) }
  }

  /** A flow that begins with the sign-in page, in a fresh browser if none is given. */
  const signsIn = async (parameters: Parameters, language?: string, browser = newBrowser()) => {
    const request = party.begin(parameters)
    return signsInAt(await browser.open(request.url), browser, request, language)
  }

  describe('parameters that must be harmless', () => {
    test('oidcc-display-page: the sign-in page', () => signsIn({ display: 'page' }))

    test('oidcc-display-popup: the sign-in page', () => signsIn({ display: 'popup' }))

    test('oidcc-ensure-request-with-unknown-parameter-succeeds: extra=foobar is ignored', () =>
      signsIn({ extra: 'foobar' }))

    test('oidcc-login-hint: the name is in the field, and another user may still sign in', async () => {
      const { hostname } = new URL(server.issuer)
      const { page } = await signsIn({ login_hint: `buffy@${hostname}` })
      expect(page.text).toContain(`value="buffy@${hostname}"`)
    })

    test('oidcc-ui-locales: an unsupported language is no error, a supported one is used', async () => {
      await signsIn({ ui_locales: 'se' })
      await signsIn({ ui_locales: 'se de' }, 'de')
    })

    test('oidcc-claims-locales: claims_locales is ignored', () => signsIn({ claims_locales: 'se' }))

    test('oidcc-ensure-request-with-acr-values-succeeds: the acr of the ID token is one that discovery lists', async () => {
      const offered = party.provider.metadata.acr_values_supported as string[]
      const { tokens } = await signsIn({ acr_values: offered.join(' ') })
      expect(offered).toContain(tokens.claims.acr)
    })

    test('oidcc-ensure-post-request-succeeds: the request as a POST', async () => {
      const browser = newBrowser()
      const request = party.begin()
      const { origin, pathname, searchParams: body } = request.url
      await signsInAt(await browser.open(`${origin}${pathname}`, { method: 'POST', body }), browser, request)
    })

    test('oidcc-claims-essential: the name, without the scope profile, at userinfo and nowhere else', async () => {
      expect(party.provider.metadata.claims_parameter_supported).toBe(true)
      const request = party.begin({ claims: '{"userinfo":{"name":{"essential":true}}}' })
      const tokens = await party.redeem(
        party.codeOf(await party.authorize(request, newBrowser(), person), request),
        request,
      )
      expect(tokens.claims).not.toHaveProperty('name')
      const userinfo = await party.userinfo(tokens)
      expect(Object.keys(userinfo).sort()).toEqual(['name', 'sub'])
      expect(userinfo.name).toMatch(/./)
    })
  })

  describe('sessions', () => {
    type First = { readonly browser: Browser; readonly tokens: Tokens }

    /** A second flow in the same browser, which must show no prompt. */
    const goesOn = async ({ browser, tokens: first }: First, parameters: Parameters) => {
      server.clock.advance(5)
      const request = party.begin(parameters)
      const { tokens: second } = await finishes(await browser.open(request.url), request)
      expect([second.claims.auth_time, second.claims.sub]).toEqual([first.claims.auth_time, first.claims.sub])
    }

    /** A second flow in the same browser, some seconds later, in which the user must sign in again. */
    const signsInAgain = async ({ browser, tokens: first }: First, seconds: number, parameters: Parameters) => {
      server.clock.advance(seconds)
      const { tokens: second } = await signsIn(parameters, undefined, browser)
      expect(second.claims.auth_time).toBe(Math.floor(server.clock.now().getTime() / 1000))
      expect(second.claims.auth_time).toBeGreaterThan(Number(first.claims.auth_time))
      expect(second.claims.sub).toBe(first.claims.sub)
    }

    test('oidcc-prompt-login: the user signs in again, and auth_time is later', async () => {
      await signsInAgain(await signsIn({}), 1, { prompt: 'login' })
    })

    test('oidcc-prompt-none-not-logged-in: an error instead of a page, with a long state unchanged', async () => {
      const state = Buffer.alloc(96, 'state').toString('base64url')
      expect(state).toHaveLength(128)
      const request = party.begin({ prompt: 'none', state })
      expect(party.errorOf(await newBrowser().open(request.url), request)).toBe('login_required')
    })

    test('oidcc-prompt-none-logged-in: a code without a page, from the same sign-in', async () => {
      await goesOn(await signsIn({}), { prompt: 'none' })
    })

    test('oidcc-id-token-hint: the same with the first ID token as a hint', async () => {
      const first = await signsIn({})
      await goesOn(first, { prompt: 'none', id_token_hint: first.tokens.idToken })
    })

    test('oidcc-max-age-1: after two seconds the user signs in again, and auth_time is recent', async () => {
      await signsInAgain(await signsIn({}), 2, { max_age: '1' })
    })

    test('oidcc-max-age-10000: a sufficiently recent session is accepted', async () => {
      const first = await signsIn({ max_age: '15000' })
      expect(first.tokens.claims.auth_time).toBeTypeOf('number')
      await goesOn(first, { max_age: '10000' })
    })
  })

  describe('requests that are refused', () => {
    /** The `error` of the response to a request. */
    const refusalOf = async (request: AuthorizationRequest) =>
      party.errorOf(await newBrowser().open(request.url), request)

    test('oidcc-response-type-missing: invalid_request', async () => {
      expect(await refusalOf(party.begin({ response_type: undefined }))).toBe('invalid_request')
    })

    test('oidcc-ensure-registered-redirect-uri: review of a page that says so; there is no redirect', async () => {
      const { url } = party.begin({ redirect_uri: `${REDIRECT_URI}/ZQ0fVh2xkT` })
      isErrorPage(await newBrowser().open(url), NOT_REGISTERED)
    })

    /**
     * The parameters as the claims of an unsigned request object, next to it only those that OAuth
     * 2.0 requires: `state` and the response mode come from the object.
     */
    const withObject = (parameters: Parameters = {}): AuthorizationRequest => {
      const inside = party.begin()
      const request = new UnsecuredJWT(Object.fromEntries(inside.url.searchParams)).encode()
      const left = { state: undefined, nonce: undefined, response_mode: undefined }
      const { url } = party.begin({ ...left, request, ...parameters })
      return { ...inside, url }
    }

    test('oidcc-unsigned-request-object-supported-correctly-or-rejected-as-unsupported: skipped after request_not_supported', async () => {
      const { metadata } = party.provider
      expect(metadata.request_parameter_supported).toBe(true)
      expect(metadata.request_object_signing_alg_values_supported).not.toContain('none')
      const request = withObject()
      const names = ['client_id', 'redirect_uri', 'response_type', 'scope', 'request']
      expect([...request.url.searchParams.keys()]).toEqual(names)
      expect(await refusalOf(request)).toBe('request_not_supported')
    })

    test('oidcc-ensure-request-object-with-redirect-uri: review of the page, for the redirect URI outside the object is wrong', async () => {
      const { url } = withObject({ redirect_uri: `${REDIRECT_URI}_invalid` })
      isErrorPage(await newBrowser().open(url), NOT_REGISTERED)
    })

    test('oidcc-request-uri-unsigned-supported-correctly-or-rejected-as-unsupported: skipped after request_uri_not_supported', async () => {
      // the plan has it only for dynamic registration
      const { metadata } = party.provider
      expect(metadata).not.toHaveProperty('registration_endpoint')
      expect(metadata.request_uri_parameter_supported).toBe(false)
      const address = 'https://rp.example/request.jwt'
      const fragment = { state: undefined, nonce: undefined, request_uri: `${address}#fragment` }
      expect(await refusalOf(party.begin(fragment))).toBe('request_uri_not_supported')
      expect(await refusalOf(party.begin({ request_uri: address }))).toBe('request_uri_not_supported')
      // without a redirect URI the error is a page
      const { url } = party.begin({ redirect_uri: undefined, request_uri: `${address}#fragment` })
      isErrorPage(await newBrowser().open(url), /address|redirect/i)
    })
  })
})
