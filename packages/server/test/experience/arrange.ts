/** What the tests of the Experience API share: a page of one's own, which keeps cookies and speaks JSON. */
import { EXPERIENCE_ROUTES } from '@countersign/contract/api.ts'
import { statusesOf } from '@countersign/contract/errors.ts'
import { routeErrors } from '@countersign/contract/openapi.ts'
import type { Method } from '@countersign/contract/route.ts'
import type { TestServer } from '@countersign/harness/server.ts'
import type * as client from 'openid-client'
import Value from 'typebox/value'
import { expect } from 'vitest'
import { type Begun, begin, newBrowser, PASSWORD } from '../sign-in/arrange.ts'
import type { Browser, Page } from '../sign-in/browser.ts'

export interface Reply {
  readonly status: number
  readonly headers: Headers
  // biome-ignore lint/suspicious/noExplicitAny: tests read responses of every shape; the contract has checked this one
  readonly body: any
}

const assertContract = (method: Method, path: string, { status, body }: Reply): void => {
  const route = EXPERIENCE_ROUTES.find(
    (each) => each.method === method && each.path === `/experience${path.split('?')[0]}`,
  )
  if (!route) return
  if (status === route.status || status === route.otherStatus) {
    if (!route.response) expect(body).toBeUndefined()
    else expect([...Value.Errors(route.response, body)]).toEqual([])
    return
  }
  expect(routeErrors(route), `${method} ${path} answered ${status}`).toContain(body?.code)
  expect(statusesOf(body.code)).toContain(status)
}

/** A page of one's own in a browser that an application has sent here. */
export class OwnPage {
  readonly server: TestServer
  readonly browser: Browser
  readonly begun: Begun
  readonly interactionId: string
  readonly #base: string

  constructor(server: TestServer, browser: Browser, begun: Begun, at: Page, base = server.baseUrl) {
    this.server = server
    this.browser = browser
    this.begun = begun
    this.interactionId = at.url.pathname.split('/').at(-1) ?? ''
    this.#base = base
  }

  /** One call; holds the answer against the contract. */
  async call(method: Method, path: string, body?: unknown, headers: Record<string, string> = {}): Promise<Reply> {
    const isForm = body instanceof FormData
    // as a browser does
    const ofForm: Record<string, string> = isForm
      ? { origin: new URL(this.server.baseUrl).origin }
      : { 'content-type': 'application/json' }
    const own = body === undefined ? {} : ofForm
    const response = await this.browser.open(`${this.#base}/api/experience${path}`, {
      method,
      headers: { ...own, ...headers },
      ...(body === undefined ? {} : { body: typeof body === 'string' || isForm ? body : JSON.stringify(body) }),
    })
    const reply = {
      status: response.status,
      headers: response.headers,
      body: response.text === '' ? undefined : JSON.parse(response.text),
    }
    assertContract(method, path, reply)
    return reply
  }

  /** Has a code sent to an address. */
  sendCode(value: string, interactionEvent = 'SignIn') {
    const identifier = { type: 'email', value }
    return this.call('POST', '/verification/verification-code', { identifier, interactionEvent })
  }

  bringCode(value: string, verificationId: string, code: string) {
    const identifier = { type: 'email', value }
    return this.call('POST', '/verification/verification-code/verify', { identifier, verificationId, code })
  }

  /** The same page, whose calls go to another node. */
  through(base: string): OwnPage {
    const { url } = this.begun
    const at = { url: new URL(`${url.origin}/${this.interactionId}`) } as Page
    return new OwnPage(this.server, this.browser, this.begun, at, base)
  }

  start(interactionEvent: 'SignIn' | 'Register' | 'ForgotPassword') {
    return this.call('PUT', '', { interactionEvent })
  }

  verify(value: string, password = PASSWORD, type = 'username') {
    return this.call('POST', '/verification/password', { identifier: { type, value }, password })
  }

  /** Every step of a sign-in; the answer of the submission. */
  async signIn(value: string, password = PASSWORD, type = 'username'): Promise<Reply> {
    expect((await this.start('SignIn')).status).toBe(204)
    const { body } = await this.verify(value, password, type)
    expect((await this.call('POST', '/identification', body)).status).toBe(204)
    return this.call('POST', '/submit')
  }

  /** Every step of a registration; the answer of the submission. */
  async register(value: string, password = PASSWORD): Promise<Reply> {
    expect((await this.start('Register')).status).toBe(204)
    const identifier = { type: 'username', value }
    const { body } = await this.call('POST', '/verification/new-password-identity', { identifier, password })
    expect((await this.call('POST', '/identification', body)).status).toBe(201)
    return this.call('POST', '/submit')
  }
}

/** Sends a browser to the server as an application does. */
export const openPage = async (
  server: TestServer,
  configuration: client.Configuration,
  browser: Browser = newBrowser(),
  parameters: Record<string, string> = {},
): Promise<OwnPage> => {
  const begun = await begin(configuration, parameters)
  return new OwnPage(server, browser, begun, await browser.open(begun.url))
}

// biome-ignore lint/suspicious/noExplicitAny: events of every type are read here
export const eventsSince = async ({ api }: TestServer, after?: string): Promise<{ events: any[]; cursor: string }> => {
  const { body } = await api('GET', `/events?limit=100${after === undefined ? '' : `&after=${after}`}`)
  if (body.events.length < 100) return { events: body.events, cursor: body.nextCursor }
  const rest = await eventsSince({ api } as TestServer, body.nextCursor)
  return { events: [...body.events, ...rest.events], cursor: rest.cursor }
}
