/** What a developer pastes to add sign-in to an application, by framework, with the real ids of this one. */
import { tenantOrigin } from '../../session/place.ts'
import { type Application, hasRedirects } from './kinds.ts'

export interface Snippet {
  readonly id: string
  readonly title: string
  /** What to install first. */
  readonly install?: string
  readonly file: string
  readonly code: string
}

interface Facts {
  readonly issuer: string
  readonly clientId: string
  readonly redirectUri: string
}

/** An address between single quotes of JavaScript: of what ends them, a redirect URI can contain only the quote. */
const quoted = (address: string): string => `'${address.replaceAll("'", "\\'")}'`

const react = ({ issuer, clientId, redirectUri }: Facts): Snippet => ({
  id: 'react',
  title: 'React',
  install: 'npm install oidc-client-ts react-oidc-context',
  file: 'main.tsx',
  code: `import { AuthProvider, useAuth } from 'react-oidc-context'

const settings = {
  authority: '${issuer}',
  client_id: '${clientId}',
  redirect_uri: ${quoted(redirectUri)},
  scope: 'openid profile email',
  onSigninCallback: () => history.replaceState({}, '', '/'),
}

const Home = () => {
  const auth = useAuth()
  if (auth.isLoading) return <p>Loading…</p>
  if (!auth.isAuthenticated)
    return <button onClick={() => auth.signinRedirect()}>Sign in</button>
  return <p>Hello, {auth.user?.profile.name ?? auth.user?.profile.sub}</p>
}

export const App = () => (
  <AuthProvider {...settings}>
    <Home />
  </AuthProvider>
)`,
})

const vue = ({ issuer, clientId, redirectUri }: Facts): Snippet => ({
  id: 'vue',
  title: 'Vue',
  install: 'npm install oidc-client-ts',
  file: 'auth.ts',
  code: `import { UserManager } from 'oidc-client-ts'
import { ref } from 'vue'

const manager = new UserManager({
  authority: '${issuer}',
  client_id: '${clientId}',
  redirect_uri: ${quoted(redirectUri)},
  scope: 'openid profile email',
})

export const user = ref(await manager.getUser())
export const signIn = () => manager.signinRedirect()
export const finishSignIn = async () => {
  // on the page at ${redirectUri}
  user.value = await manager.signinCallback()
}`,
})

const next = ({ issuer, clientId }: Facts): Snippet => ({
  id: 'next',
  title: 'Next.js',
  install: 'npm install next-auth@beta',
  file: 'auth.ts',
  code: `// the redirect URI is https://YOUR-APP/api/auth/callback/countersign
import NextAuth from 'next-auth'

export const { handlers, signIn, signOut, auth } = NextAuth({
  providers: [
    {
      id: 'countersign',
      name: 'Countersign',
      type: 'oidc',
      issuer: '${issuer}',
      clientId: '${clientId}',
      clientSecret: process.env.COUNTERSIGN_SECRET,
    },
  ],
})`,
})

const express = ({ issuer, clientId }: Facts): Snippet => ({
  id: 'express',
  title: 'Express',
  install: 'npm install express express-openid-connect',
  file: 'server.js',
  code: `// the redirect URI is BASE_URL/callback
import express from 'express'
import { auth, requiresAuth } from 'express-openid-connect'

const app = express()
app.use(
  auth({
    issuerBaseURL: '${issuer}',
    clientID: '${clientId}',
    clientSecret: process.env.COUNTERSIGN_SECRET,
    baseURL: process.env.BASE_URL,
    secret: process.env.COOKIE_SECRET,
    authorizationParams: { response_type: 'code', scope: 'openid profile email' },
    authRequired: false,
  }),
)
app.get('/', requiresAuth(), (request, response) => response.send(request.oidc.user))
app.listen(3000)`,
})

const python = ({ issuer, clientId, redirectUri }: Facts): Snippet => ({
  id: 'python',
  title: 'Python',
  install: 'pip install authlib flask requests',
  file: 'app.py',
  code: `import os
from authlib.integrations.flask_client import OAuth
from flask import Flask, session

app = Flask(__name__)
app.secret_key = os.environ["COOKIE_SECRET"]
oauth = OAuth(app)
oauth.register(
    "countersign",
    client_id="${clientId}",
    client_secret=os.environ["COUNTERSIGN_SECRET"],
    server_metadata_url="${issuer}/.well-known/openid-configuration",
    client_kwargs={"scope": "openid profile email", "code_challenge_method": "S256"},
)

@app.get("/sign-in")
def sign_in():
    return oauth.countersign.authorize_redirect("${redirectUri}")

@app.get("/callback")
def callback():
    session["user"] = oauth.countersign.authorize_access_token()["userinfo"]
    return session["user"]`,
})

const go = ({ issuer, clientId, redirectUri }: Facts): Snippet => ({
  id: 'go',
  title: 'Go',
  install: 'go get github.com/coreos/go-oidc/v3/oidc golang.org/x/oauth2',
  file: 'auth.go',
  code: `provider, err := oidc.NewProvider(ctx, "${issuer}")
if err != nil {
	log.Fatal(err)
}
config := oauth2.Config{
	ClientID:     "${clientId}",
	ClientSecret: os.Getenv("COUNTERSIGN_SECRET"),
	RedirectURL:  "${redirectUri}",
	Endpoint:     provider.Endpoint(),
	Scopes:       []string{oidc.ScopeOpenID, "profile", "email"},
}
verifier := oauth2.GenerateVerifier()
// state belongs into the session of the browser, and is compared at the callback
url := config.AuthCodeURL(state, oauth2.S256ChallengeOption(verifier))`,
})

const curl = ({ issuer, clientId }: Facts): Snippet => ({
  id: 'curl',
  title: 'curl',
  file: 'sh',
  code: `curl -s ${issuer}/token \\
  -u "${clientId}:$COUNTERSIGN_SECRET" \\
  -d grant_type=client_credentials \\
  -d resource=https://YOUR-API \\
  -d scope=YOUR-SCOPES`,
})

const node = ({ issuer, clientId }: Facts): Snippet => ({
  id: 'node',
  title: 'Node.js',
  install: 'npm install openid-client',
  file: 'token.js',
  code: `import * as client from 'openid-client'

const config = await client.discovery(
  new URL('${issuer}'),
  '${clientId}',
  undefined,
  client.ClientSecretBasic(process.env.COUNTERSIGN_SECRET),
)
const { access_token } = await client.clientCredentialsGrant(config, {
  resource: 'https://YOUR-API',
  scope: 'YOUR-SCOPES',
})`,
})

const device = ({ issuer, clientId }: Facts): Snippet => ({
  id: 'curl',
  title: 'curl',
  file: 'sh',
  code: `curl -s ${issuer}/device/auth -d client_id=${clientId} -d scope=openid
# show the user_code and the verification_uri, then ask every "interval" seconds:
curl -s ${issuer}/token -d client_id=${clientId} -d device_code=DEVICE_CODE \\
  -d grant_type=urn:ietf:params:oauth:grant-type:device_code`,
})

/** The snippets that fit the application, the most likely first. */
export const snippetsOf = (application: Application): readonly Snippet[] => {
  const facts: Facts = {
    issuer: `${tenantOrigin()}/oidc`,
    clientId: application.id,
    redirectUri: application.oidcClientMetadata.redirectUris[0] ?? 'http://localhost:3000/callback',
  }
  if (application.type === 'MachineToMachine') return [curl(facts), node(facts)]
  if (application.customClientMetadata.isDeviceFlow) return [device(facts)]
  if (!hasRedirects(application)) return []
  return application.type === 'Traditional'
    ? [next(facts), express(facts), python(facts), go(facts)]
    : [react(facts), vue(facts)]
}
