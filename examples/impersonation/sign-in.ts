/**
 * Signs a person in without a browser, as a program can over the Experience API, and returns their access token for
 * userinfo: it has the scope openid, which makes it an actor token. In your application it comes from their sign-in.
 */
import { createHash, randomBytes } from 'node:crypto'

const REDIRECT_URI = 'http://localhost:4002/callback'
export const redirectUris = [REDIRECT_URI]

export const signIn = async (
  baseUrl: string,
  clientId: string,
  username: string,
  password: string,
): Promise<string> => {
  const cookies = new Map<string, string>()
  const send = async (url: string, method = 'GET', body?: object) => {
    const response = await fetch(url, {
      method,
      redirect: 'manual',
      headers: {
        cookie: [...cookies].map(([name, value]) => `${name}=${value}`).join('; '),
        ...(body ? { 'content-type': 'application/json' } : {}),
      },
      ...(body ? { body: JSON.stringify(body) } : {}),
    })
    for (const line of response.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? []
      cookies.set(name, value)
    }
    if (response.status >= 400)
      throw new Error(`${method} ${url} answered ${response.status}: ${await response.text()}`)
    return response
  }
  const step = async (method: string, path: string, body?: object) => {
    const text = await (await send(`${baseUrl}/api/experience${path}`, method, body)).text()
    return text === '' ? {} : JSON.parse(text)
  }

  const verifier = randomBytes(32).toString('base64url')
  const request = new URLSearchParams({
    client_id: clientId,
    redirect_uri: REDIRECT_URI,
    response_type: 'code',
    scope: 'openid profile',
    code_challenge: createHash('sha256').update(verifier).digest('base64url'),
    code_challenge_method: 'S256',
  })
  await send(`${baseUrl}/oidc/auth?${request}`)
  await step('PUT', '', { interactionEvent: 'SignIn' })
  const proof = await step('POST', '/verification/password', {
    identifier: { type: 'username', value: username },
    password,
  })
  await step('POST', '/identification', proof)
  const { redirectTo } = await step('POST', '/submit')
  const back = new URL((await send(redirectTo)).headers.get('location') ?? '')
  const response = await fetch(`${baseUrl}/oidc/token`, {
    method: 'POST',
    body: new URLSearchParams({
      grant_type: 'authorization_code',
      client_id: clientId,
      code: back.searchParams.get('code') ?? '',
      redirect_uri: REDIRECT_URI,
      code_verifier: verifier,
    }),
  })
  return ((await response.json()) as { access_token: string }).access_token
}
