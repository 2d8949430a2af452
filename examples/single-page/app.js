// A single-page application: everything happens in the browser. oauth4webapi checks state, iss, the ID token and its nonce.
import * as oauth from '/oauth4webapi.js'

const { issuer, clientId } = await (await fetch('/settings.json')).json()
const client = { client_id: clientId }
const redirectUri = `${location.origin}/callback`
const scope = 'openid profile offline_access'

const issuerUrl = new URL(issuer)
// plain http only because the server of this example runs on this machine
const options = issuerUrl.protocol === 'http:' ? { [oauth.allowInsecureRequests]: true } : {}
const server = await oauth.processDiscoveryResponse(issuerUrl, await oauth.discoveryRequest(issuerUrl, options))

const show = (id, isShown) => {
  document.getElementById(id).hidden = !isShown
}

/** Tokens stay in the memory of this page: a reload signs in again, without a password while the session lasts. */
let tokens

const render = async () => {
  show('sign-in', !tokens)
  show('refresh', Boolean(tokens))
  show('sign-out', Boolean(tokens))
  if (!tokens) return
  const { sub } = tokens.claims
  const response = await oauth.userInfoRequest(server, client, tokens.accessToken, options)
  const user = await oauth.processUserInfoResponse(server, client, sub, response)
  document.getElementById('title').textContent = `Hello, ${user.name ?? user.username ?? sub}`
}

const signIn = async () => {
  const verifier = oauth.generateRandomCodeVerifier()
  const state = oauth.generateRandomState()
  const nonce = oauth.generateRandomNonce()
  sessionStorage.setItem('sign-in', JSON.stringify({ verifier, state, nonce }))
  const url = new URL(server.authorization_endpoint)
  url.search = new URLSearchParams({
    client_id: clientId,
    redirect_uri: redirectUri,
    response_type: 'code',
    scope,
    state,
    nonce,
    code_challenge: await oauth.calculatePKCECodeChallenge(verifier),
    code_challenge_method: 'S256',
  })
  location.assign(url)
}

const finishSignIn = async () => {
  const { verifier, state, nonce } = JSON.parse(sessionStorage.getItem('sign-in') ?? '{}')
  sessionStorage.removeItem('sign-in')
  const parameters = oauth.validateAuthResponse(server, client, new URL(location.href), state)
  const response = await oauth.authorizationCodeGrantRequest(
    server,
    client,
    oauth.None(),
    parameters,
    redirectUri,
    verifier,
    options,
  )
  const result = await oauth.processAuthorizationCodeResponse(server, client, response, {
    expectedNonce: nonce,
    requireIdToken: true,
  })
  tokens = {
    accessToken: result.access_token,
    refreshToken: result.refresh_token,
    idToken: result.id_token,
    claims: oauth.getValidatedIdTokenClaims(result),
  }
  history.replaceState(null, '', '/')
}

const refresh = async () => {
  const response = await oauth.refreshTokenGrantRequest(server, client, oauth.None(), tokens.refreshToken, options)
  const result = await oauth.processRefreshTokenResponse(server, client, response)
  // the used refresh token is spent: the new one replaces it
  tokens = { ...tokens, accessToken: result.access_token, refreshToken: result.refresh_token }
  document.getElementById('status').textContent = 'The tokens were renewed.'
  await render()
}

const signOut = () => {
  const url = new URL(server.end_session_endpoint)
  url.search = new URLSearchParams({ id_token_hint: tokens.idToken, post_logout_redirect_uri: location.origin })
  location.assign(url)
}

const trouble = (error) => {
  document.getElementById('status').textContent = `That did not work: ${error.message}`
}

document.getElementById('sign-in').addEventListener('click', () => signIn().catch(trouble))
document.getElementById('refresh').addEventListener('click', () => refresh().catch(trouble))
document.getElementById('sign-out').addEventListener('click', signOut)

if (location.pathname === '/callback') await finishSignIn().catch(trouble)
await render().catch(trouble)
