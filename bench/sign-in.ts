/** A whole sign-in as a browser and an application do it, from the authorization request to the tokens. */
import { createHash, randomBytes } from 'node:crypto'
import { Agent, type IncomingHttpHeaders, request } from 'node:http'

const agent = new Agent({ keepAlive: true })

interface Reply {
  readonly status: number
  readonly headers: IncomingHttpHeaders
  readonly text: string
}

const send = (port: number, path: string, headers: Record<string, string>, form?: Record<string, string>) =>
  new Promise<Reply>((resolve, reject) => {
    const body = form && new URLSearchParams(form).toString()
    const sent = request(
      {
        agent,
        port,
        path,
        host: '127.0.0.1',
        method: body === undefined ? 'GET' : 'POST',
        headers: {
          host: `localhost:${port}`,
          ...headers,
          ...(body === undefined ? {} : { 'content-type': 'application/x-www-form-urlencoded' }),
        },
      },
      (response) => {
        const chunks: Buffer[] = []
        response.on('data', (chunk: Buffer) => chunks.push(chunk))
        response.on('end', () =>
          resolve({
            status: response.statusCode ?? 0,
            headers: response.headers,
            text: Buffer.concat(chunks).toString(),
          }),
        )
        response.on('error', reject)
      },
    )
    sent.on('error', reject)
    sent.end(body)
  })

const locationOf = ({ headers: { location } }: Reply): string => {
  if (!location) throw new Error('The bench was not redirected')
  return location
}

const pathOf = (location: string): string => {
  const { pathname, search } = new URL(location)
  return pathname + search
}

interface Begun {
  /** Path of the page with the form. */
  readonly page: string
  readonly verifier: string
  readonly browse: (path: string, form?: Record<string, string>) => Promise<Reply>
  readonly cookie: () => string
}

/** A new browser with an authorization request, at the sign-in page. */
export const beginSignIn = async (port: number, clientId: string, redirectUri: string): Promise<Begun> => {
  const cookies = new Map<string, string>()
  const cookie = () => [...cookies].map(([name, value]) => `${name}=${value}`).join('; ')
  const browse = async (path: string, form?: Record<string, string>) => {
    const reply = await send(port, path, cookies.size === 0 ? {} : { cookie: cookie() }, form)
    for (const line of reply.headers['set-cookie'] ?? []) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? []
      cookies.set(name, value)
    }
    return reply
  }
  const verifier = randomBytes(32).toString('base64url')
  const query = new URLSearchParams({
    client_id: clientId,
    redirect_uri: redirectUri,
    response_type: 'code',
    scope: 'openid profile offline_access',
    code_challenge: createHash('sha256').update(verifier).digest('base64url'),
    code_challenge_method: 'S256',
  })
  const begun = await browse(`/oidc/auth?${query}`)
  return { page: pathOf(locationOf(begun)), verifier, browse, cookie }
}

/** The proof in the form of a page that the page came from this server. */
const tokenIn = ({ text }: Reply): string => /name="token" value="([^"]*)"/.exec(text)?.[1] ?? ''

interface Application {
  readonly clientId: string
  readonly clientSecret: string
}

/** Redeems the code with which the browser came back. Throws unless there are tokens. */
const redeem = async (
  port: number,
  { clientId, clientSecret }: Application,
  back: string,
  redirectUri: string,
  verifier: string,
): Promise<void> => {
  const code = new URL(back).searchParams.get('code') ?? ''
  const authorization = `Basic ${Buffer.from(`${clientId}:${clientSecret}`).toString('base64')}`
  const form = { grant_type: 'authorization_code', code, redirect_uri: redirectUri, code_verifier: verifier }
  const { status, text } = await send(port, '/oidc/token', { authorization }, form)
  if (status !== 200) throw new Error(`The bench could not sign in: ${status} ${text} after ${back}`)
}

/**
 * Signs a user in with a new browser, and redeems the code. Throws if any step fails. @param secondFactor
 * returns the code of an app for the page after the password; without it there is no such page
 */
export const signInOverHttp = async (
  port: number,
  client: Application,
  username: string,
  password: string,
  redirectUri: string,
  secondFactor?: () => string,
): Promise<void> => {
  const { page, verifier, browse } = await beginSignIn(port, client.clientId, redirectUri)
  const submit = async (at: string, fields: Record<string, string>) =>
    locationOf(await browse(at, { token: tokenIn(await browse(at)), ...fields }))
  const signedIn = await submit(page, { identifier: username, password })
  const back = secondFactor ? await submit(pathOf(signedIn), { code: secondFactor() }) : signedIn
  await redeem(port, client, back, redirectUri, verifier)
}

/**
 * The same at a provider, with an account there that is known to be the user's.
 * @param signIn the parameters with which the provider sends the browser back
 */
export const signInAtProvider = async (
  port: number,
  client: Application,
  connectorId: string,
  redirectUri: string,
  signIn: (authorizationUri: string) => Readonly<Record<string, string>>,
): Promise<void> => {
  const { page, verifier, browse } = await beginSignIn(port, client.clientId, redirectUri)
  const fields = { token: tokenIn(await browse(page)), connector: connectorId }
  const asked = locationOf(await browse(page.replace('/sign-in/', '/social/'), fields))
  const back = locationOf(await browse(`/callback/${connectorId}?${new URLSearchParams(signIn(asked))}`))
  await redeem(port, client, back, redirectUri, verifier)
}
