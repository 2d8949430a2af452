/** The providers with their own kind of connector, and the two standards that all others use, as data. */
import type { SocialKind } from '@countersign/contract/social-connector-configs.ts'
import {
  APPLE,
  APPLE_DARK,
  DISCORD,
  DOOR,
  FACEBOOK,
  GITHUB,
  GITHUB_DARK,
  GITLAB,
  GOOGLE,
  LINKEDIN,
  LINKEDIN_DARK,
  MICROSOFT,
  SLACK,
  X,
  X_DARK,
} from './logos.ts'
import type { ClaimMap, Endpoints } from './provider.ts'

export interface Preset {
  readonly id: SocialKind
  readonly target: string
  readonly name: string
  readonly description: string
  readonly logo: string
  readonly logoDark: string | null
  readonly readme: string
  /** An example configuration. */
  readonly example: Readonly<Record<string, unknown>>
  /** Whether it is a standard, of which a tenant may have several connectors, each with its own target. */
  readonly isStandard: boolean
  readonly scope: string
  /** Whether addresses that it reports as verified count as verified, unless the connector says otherwise. */
  readonly isTrusted: boolean
  /** Texts may hold members of the configuration in braces. */
  readonly at: { readonly issuer: string } | { readonly endpoints: Endpoints }
  /** Defaults of members that the configuration may lack. */
  readonly defaults?: Readonly<Record<string, string>>
  readonly parameters?: Readonly<Record<string, string>>
  readonly credential?: 'client_secret_basic' | 'apple'
  /** Whether its ID tokens lack `auth_time`, or are not known to have it. */
  readonly omitsAuthTime?: boolean
  readonly claims: ClaimMap
}

/** OpenID Connect Core 1.0, section 5.1. */
const STANDARD_CLAIMS: ClaimMap = {
  id: 'sub',
  email: 'email',
  emailVerified: 'email_verified',
  phone: 'phone_number',
  phoneVerified: 'phone_number_verified',
  name: 'name',
  avatar: 'picture',
}

const OPENID = 'openid profile email'
const clientExample = { clientId: 'client-id', clientSecret: 'client-secret' }
const REDIRECT = 'Register {base URL}/callback/{id of the connector} as the redirect URI.'

const named = { isStandard: false, logoDark: null, example: clientExample, claims: STANDARD_CLAIMS } as const

const oidc: Preset = {
  ...named,
  id: 'oidc',
  target: 'oidc',
  name: 'OpenID Connect',
  description: 'Signs users in at any OpenID provider.',
  logo: DOOR,
  readme: `Enter the issuer and the client that you have registered there. ${REDIRECT}`,
  example: { issuer: 'https://id.example.com', ...clientExample },
  isStandard: true,
  scope: OPENID,
  isTrusted: false,
  at: { issuer: '{issuer}' },
}

const oauth2: Preset = {
  ...named,
  id: 'oauth2',
  target: 'oauth2',
  name: 'OAuth 2.0',
  description: 'Signs users in at any OAuth 2.0 provider that returns data of the user.',
  logo: DOOR,
  readme: `Enter the endpoints, the client that you have registered there, and in profileMap where the provider has which data. ${REDIRECT}`,
  example: {
    authorizationEndpoint: 'https://id.example.com/authorize',
    tokenEndpoint: 'https://id.example.com/token',
    userInfoEndpoint: 'https://id.example.com/userinfo',
    ...clientExample,
    scope: 'profile',
    profileMap: { id: 'id', name: 'name' },
  },
  isStandard: true,
  scope: '',
  isTrusted: false,
  at: {
    endpoints: {
      authorization: '{authorizationEndpoint}',
      token: '{tokenEndpoint}',
      userInfo: '{userInfoEndpoint}',
    },
  },
}

/** https://developers.google.com/identity/openid-connect/openid-connect */
const google: Preset = {
  ...named,
  id: 'google-universal',
  target: 'google',
  name: 'Google',
  description: 'Signs users in with their Google account.',
  logo: GOOGLE,
  readme: `Create an OAuth client of the type web application in the Google Cloud console. ${REDIRECT}`,
  scope: OPENID,
  isTrusted: true,
  at: { issuer: 'https://accounts.google.com' },
}

/** https://developer.apple.com/documentation/signinwithapplerestapi */
const apple: Preset = {
  ...named,
  id: 'apple-universal',
  target: 'apple',
  name: 'Apple',
  description: 'Signs users in with their Apple account.',
  logo: APPLE,
  logoDark: APPLE_DARK,
  readme: `Create a Services ID and a key for Sign in with Apple in the developer portal. ${REDIRECT}`,
  example: {
    clientId: 'com.example.web',
    teamId: 'A1B2C3D4E5',
    keyId: 'F6G7H8J9K0',
    privateKey: '-----BEGIN PRIVATE KEY-----\n…\n-----END PRIVATE KEY-----\n',
  },
  scope: 'openid name email',
  isTrusted: true,
  at: { issuer: 'https://appleid.apple.com' },
  omitsAuthTime: true,
  // Apple requires it as soon as a scope is requested
  parameters: { response_mode: 'form_post' },
  credential: 'apple',
}

/** https://learn.microsoft.com/entra/identity-platform/v2-protocols-oidc. Administrators can set any address there. */
const microsoft: Preset = {
  ...named,
  id: 'azuread-universal',
  target: 'azuread',
  name: 'Microsoft',
  description: 'Signs users in with their Microsoft account, at work, at school or personal.',
  logo: MICROSOFT,
  readme: `Register an application in the Microsoft Entra admin center, with a client secret. ${REDIRECT}`,
  scope: OPENID,
  isTrusted: false,
  at: { issuer: 'https://login.microsoftonline.com/{tenantId}/v2.0' },
  omitsAuthTime: true,
  defaults: { tenantId: 'common' },
  claims: { ...STANDARD_CLAIMS, emailVerified: 'xms_edov' },
}

/** https://docs.github.com/apps/oauth-apps/building-oauth-apps/authorizing-oauth-apps */
const github: Preset = {
  ...named,
  id: 'github-universal',
  target: 'github',
  name: 'GitHub',
  description: 'Signs users in with their GitHub account.',
  logo: GITHUB,
  logoDark: GITHUB_DARK,
  readme: `Create an OAuth app in the developer settings of your account or organization. ${REDIRECT}`,
  scope: 'read:user user:email',
  isTrusted: true,
  at: {
    endpoints: {
      authorization: '{origin}/login/oauth/authorize',
      token: '{origin}/login/oauth/access_token',
      userInfo: '{api}/user',
      emails: '{api}/user/emails',
    },
  },
  defaults: { origin: 'https://github.com', api: 'https://api.github.com' },
  claims: { id: 'id', email: 'email', emailVerified: 'email_verified', name: 'name', avatar: 'avatar_url' },
}

/** https://docs.gitlab.com/integration/openid_connect_provider */
const gitlab: Preset = {
  ...named,
  id: 'gitlab-universal',
  target: 'gitlab',
  name: 'GitLab',
  description: 'Signs users in with their GitLab account.',
  logo: GITLAB,
  readme: `Create an application with the scopes openid, profile and email. ${REDIRECT}`,
  scope: OPENID,
  isTrusted: true,
  at: { issuer: '{issuer}' },
  defaults: { issuer: 'https://gitlab.com' },
}

/** https://developers.facebook.com/docs/facebook-login/guides/advanced/manual-flow */
const facebook: Preset = {
  ...named,
  id: 'facebook-universal',
  target: 'facebook',
  name: 'Facebook',
  description: 'Signs users in with their Facebook account.',
  logo: FACEBOOK,
  readme: `Create an app with Facebook Login in Meta for Developers; its app ID and secret are those of the client. ${REDIRECT}`,
  scope: 'email public_profile',
  isTrusted: false,
  at: {
    endpoints: {
      authorization: 'https://www.facebook.com/v23.0/dialog/oauth',
      token: 'https://graph.facebook.com/v23.0/oauth/access_token',
      userInfo: 'https://graph.facebook.com/v23.0/me?fields=id,name,email,picture',
    },
  },
  claims: { id: 'id', email: 'email', name: 'name', avatar: 'picture.data.url' },
}

/** https://docs.x.com/fundamentals/authentication/oauth-2-0/authorization-code */
const x: Preset = {
  ...named,
  id: 'x-universal',
  target: 'x',
  name: 'X',
  description: 'Signs users in with their X account.',
  logo: X,
  logoDark: X_DARK,
  readme: `Create an app with OAuth 2.0 of the type web app in the developer portal. ${REDIRECT}`,
  scope: 'users.read tweet.read users.email',
  isTrusted: true,
  at: {
    endpoints: {
      authorization: 'https://x.com/i/oauth2/authorize',
      token: 'https://api.x.com/2/oauth2/token',
      userInfo: 'https://api.x.com/2/users/me?user.fields=profile_image_url,confirmed_email',
    },
  },
  credential: 'client_secret_basic',
  // it returns only confirmed addresses
  claims: {
    id: 'data.id',
    email: 'data.confirmed_email',
    emailVerified: 'data.confirmed_email',
    name: 'data.name',
    avatar: 'data.profile_image_url',
  },
}

/** https://learn.microsoft.com/linkedin/consumer/integrations/self-serve/sign-in-with-linkedin-v2. Its ID tokens lack the nonce. */
const linkedin: Preset = {
  ...named,
  id: 'linkedin-universal',
  target: 'linkedin',
  name: 'LinkedIn',
  description: 'Signs users in with their LinkedIn account.',
  logo: LINKEDIN,
  logoDark: LINKEDIN_DARK,
  readme: `Create an app with the product Sign In with LinkedIn using OpenID Connect. ${REDIRECT}`,
  scope: OPENID,
  isTrusted: true,
  at: {
    endpoints: {
      authorization: 'https://www.linkedin.com/oauth/v2/authorization',
      token: 'https://www.linkedin.com/oauth/v2/accessToken',
      userInfo: 'https://api.linkedin.com/v2/userinfo',
    },
  },
}

/** https://discord.com/developers/docs/topics/oauth2 */
const discord: Preset = {
  ...named,
  id: 'discord-universal',
  target: 'discord',
  name: 'Discord',
  description: 'Signs users in with their Discord account.',
  logo: DISCORD,
  readme: `Create an application in the developer portal and take its client ID and secret. ${REDIRECT}`,
  scope: 'identify email',
  isTrusted: true,
  at: {
    endpoints: {
      authorization: 'https://discord.com/oauth2/authorize',
      token: 'https://discord.com/api/oauth2/token',
      userInfo: 'https://discord.com/api/users/@me',
    },
  },
  claims: {
    id: 'id',
    email: 'email',
    emailVerified: 'verified',
    name: 'global_name',
    avatar: 'https://cdn.discordapp.com/avatars/{id}/{avatar}.png',
  },
}

/** https://api.slack.com/authentication/sign-in-with-slack. Administrators of a workspace can set any address there. */
const slack: Preset = {
  ...named,
  id: 'slack-universal',
  target: 'slack',
  name: 'Slack',
  description: 'Signs users in with their Slack account.',
  logo: SLACK,
  readme: `Create an app and take its client ID and secret from the basic information. ${REDIRECT}`,
  scope: OPENID,
  isTrusted: false,
  at: { issuer: 'https://slack.com' },
  omitsAuthTime: true,
}

export const PRESETS: readonly Preset[] = [
  oidc,
  oauth2,
  google,
  apple,
  microsoft,
  github,
  gitlab,
  facebook,
  x,
  linkedin,
  discord,
  slack,
]
