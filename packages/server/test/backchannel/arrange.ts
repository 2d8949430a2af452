/** What the tests of backchannel authentication share: an application that may ask, users with addresses, and their answers. */
import type { TestServer } from '@countersign/harness/server.ts'
import { expect } from 'vitest'
import type { MailServer } from '../management/mail.ts'
import { createApp, PASSWORD } from '../sign-in/arrange.ts'
import type { Browser, Page } from '../sign-in/browser.ts'

const GRANT = 'urn:openid:params:grant-type:ciba'

/** An application that may ask for users, with its secret. */
export const createAsking = async (
  server: TestServer,
  more: Pick<NonNullable<Parameters<typeof createApp>[2]>, 'isThirdParty'> = {},
) => {
  const customClientMetadata = { backchannelTokenDeliveryMode: 'poll' } as const
  const app = await createApp(server, 'Traditional', { customClientMetadata, ...more })
  const [secret] = await server.client.listApplicationSecrets({ params: { id: app.id } })
  return { ...app, secret: secret?.value ?? '' }
}
export type Asking = Awaited<ReturnType<typeof createAsking>>

/** A user with an email address. */
export const createReachable = async ({ client }: TestServer) => {
  const username = `user_${crypto.randomUUID().slice(0, 8)}`
  const primaryEmail = `${username}@example.com`
  const { id } = await client.createUser({ body: { username, primaryEmail, password: PASSWORD } })
  return { id, username, primaryEmail }
}

const post = async (url: string, { id, secret }: Pick<Asking, 'id' | 'secret'>, body: URLSearchParams) => {
  const authorization = `Basic ${Buffer.from(`${id}:${secret}`).toString('base64')}`
  const response = await fetch(url, { method: 'POST', body, headers: { authorization } })
  return { status: response.status, body: (await response.json()) as Record<string, string> }
}

/** A request as it is sent. */
export const ask = (server: TestServer, app: Asking, parameters: Record<string, string> | string[][]) =>
  post(`${server.issuer}/bc-authorize`, app, new URLSearchParams(parameters))

export const poll = (server: TestServer, app: Asking, requestId: string, base = server.baseUrl) =>
  post(`${base}/oidc/token`, app, new URLSearchParams({ grant_type: GRANT, auth_req_id: requestId }))

/** The link of the newest mail, once there are so many. */
export const linkIn = async (mail: MailServer, count: number): Promise<string> => {
  await mail.got(count)
  return /https?:\/\/\S+\/backchannel\?token=cs_bl_[\w-]{43}/.exec(mail.mails.at(-1)?.text ?? '')?.[0] ?? ''
}

/** Through the link and the sign-in to the page that asks. */
export const open = async (browser: Browser, link: string, username: string): Promise<Page> => {
  const signIn = await browser.submit(await browser.open(link), {})
  return browser.submit(signIn, { identifier: username, password: PASSWORD })
}

/** The same, and the answer. */
export const answer = async (browser: Browser, link: string, username: string, word: 'allow' | 'deny') => {
  const asked = await open(browser, link, username)
  expect(asked.text).toContain('id="backchannel-confirmation"')
  return browser.submit(asked, { answer: word })
}
