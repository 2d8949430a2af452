/** The configuration of each kind of social connector: a provider at which users sign in with their account there. */
import Type, { type Static, type TObject } from 'typebox'
import { OneOf, SECRET } from './schema.ts'

const LINE = '^[^\\x00-\\x1f\\x7f]+$'
const Line = (maxLength: number, description: string, example?: string) =>
  Type.String({ minLength: 1, maxLength, pattern: LINE, description, ...(example ? { examples: [example] } : {}) })
const Address = (description: string, example?: string) =>
  Type.String({
    minLength: 1,
    maxLength: 2048,
    pattern: '^https?://[^\\s#]+$',
    description,
    ...(example ? { examples: [example] } : {}),
  })
const Secret = (description: string) => Type.String({ ...SECRET, minLength: 1, maxLength: 4096, description })

/** The name of a member of a provider's user data; dots lead into objects. */
const Claim = (description: string) => Type.Optional(Line(128, description))

/** Options of every kind. */
const common = {
  scope: Type.Optional(Line(1024, 'Scopes, separated by spaces, instead of the default ones', 'openid profile email')),
  customConfig: Type.Optional(
    Type.Record(Type.String({ minLength: 1, maxLength: 64 }), Type.String({ maxLength: 1024 }), {
      description:
        'Further parameters of the authorization request, such as `prompt`. Those that protect the sign-in cannot be replaced',
    }),
  ),
  trustVerifiedAddresses: Type.Optional(
    Type.Boolean({
      description:
        'Whether an address counts as verified here if the provider says that it is verified. Anyone who controls the provider can then take over accounts with any address. Default: true for providers that are known to verify addresses, otherwise false',
    }),
  ),
}

const client = {
  clientId: Line(512, 'Client ID assigned by the provider'),
  clientSecret: Secret('Client secret assigned by the provider'),
}

const tokenEndpointAuthMethod = Type.Optional(
  OneOf(['client_secret_basic', 'client_secret_post'], {
    description: 'How the client authenticates at the token endpoint. Default: client_secret_post',
  }),
)

const usesPkce = Type.Optional(
  Type.Boolean({
    description:
      'Whether to protect the code by PKCE (RFC 7636). Default: true. Providers that do not support it ignore it',
  }),
)

const profileMap = Type.Optional(
  Type.Object(
    {
      id: Claim('Permanent identifier of the user at the provider'),
      email: Claim('Email address'),
      emailVerified: Claim('Whether the provider has verified the email address'),
      phone: Claim('Phone number, with country code'),
      phoneVerified: Claim('Whether the provider has verified the phone number'),
      name: Claim('Display name'),
      avatar: Claim('URL of a picture'),
    },
    { description: 'Where the provider has which data of a user, if not as in OpenID Connect' },
  ),
)

const preset = Type.Object({ ...client, ...common })

/** https://developers.google.com/identity/gsi/web/reference/html-reference */
const oneTap = Type.Optional(
  Type.Object(
    {
      isEnabled: Type.Optional(Type.Boolean({ description: 'Default: false' })),
      autoSelect: Type.Optional(
        Type.Boolean({ description: 'Whether a user with one Google session is signed in without a click' }),
      ),
      closeOnTapOutside: Type.Optional(Type.Boolean({ description: 'Default: true' })),
      itpSupport: Type.Optional(Type.Boolean({ description: 'Whether browsers that prevent tracking show it too' })),
    },
    {
      description:
        'Google One Tap on the sign-in page. The page then loads a script of Google. The base URL has to be an authorized JavaScript origin of the client',
    },
  ),
)

/** The kinds of social connectors, by id, with their configuration. */
export const SOCIAL_CONFIGS = {
  oidc: Type.Object({
    issuer: Address('Issuer of the ID tokens, which has /.well-known/openid-configuration', 'https://id.example.com'),
    ...client,
    tokenEndpointAuthMethod,
    usesPkce,
    omitsAuthTime: Type.Optional(
      Type.Boolean({
        description:
          'Whether its ID tokens lack `auth_time` where a new sign-in is requested. If not, a sign-in without it is no proof of who the user is before a change of their account. Default: false',
      }),
    ),
    profileMap,
    ...common,
  }),
  oauth2: Type.Object({
    authorizationEndpoint: Address('Where users sign in', 'https://id.example.com/authorize'),
    tokenEndpoint: Address('Where codes are redeemed', 'https://id.example.com/token'),
    userInfoEndpoint: Address('Where the provider returns the data of the user', 'https://id.example.com/userinfo'),
    ...client,
    tokenEndpointAuthMethod,
    usesPkce,
    profileMap,
    ...common,
  }),
  'google-universal': Type.Object({ ...client, oneTap, ...common }),
  'apple-universal': Type.Object({
    clientId: Line(512, 'Services ID', 'com.example.web'),
    teamId: Line(64, 'Team ID'),
    keyId: Line(64, 'ID of the key'),
    privateKey: Secret('The key, in PEM format, as issued by Apple'),
    ...common,
  }),
  'azuread-universal': Type.Object({
    ...client,
    tenantId: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 255,
        pattern: '^[A-Za-z0-9.-]+$',
        description: 'Who may sign in: the ID of a directory, or common, organizations or consumers. Default: common',
      }),
    ),
    ...common,
  }),
  'github-universal': Type.Object({
    ...client,
    origin: Type.Optional(
      Address('URL of a GitHub Enterprise Server. Default: github.com', 'https://github.example.com'),
    ),
    ...common,
  }),
  'gitlab-universal': Type.Object({
    ...client,
    issuer: Type.Optional(Address('URL of your own GitLab. Default: https://gitlab.com', 'https://gitlab.example.com')),
    ...common,
  }),
  'facebook-universal': preset,
  'x-universal': preset,
  'linkedin-universal': preset,
  'discord-universal': preset,
  'slack-universal': preset,
} as const satisfies Readonly<Record<string, TObject>>

export type SocialKind = keyof typeof SOCIAL_CONFIGS
/** The configuration of a social connector of some kind. */
export type SocialConfig = { [K in SocialKind]: Static<(typeof SOCIAL_CONFIGS)[K]> }[SocialKind]
