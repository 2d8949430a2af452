/** The configuration of an enterprise SSO connector: the identity provider of a company, by OpenID Connect or SAML 2.0. */
import Type, { type Static, type TObject } from 'typebox'
import { OneOf, SECRET } from './schema.ts'

const LINE = '^[^\\x00-\\x1f\\x7f]+$'
const Line = (maxLength: number, description: string, examples: readonly string[] = []) =>
  Type.String({ minLength: 1, maxLength, pattern: LINE, description, examples: [...examples] })
const Address = (description: string, example: string) =>
  Type.String({ minLength: 1, maxLength: 2048, pattern: '^https?://[^\\s#]+$', description, examples: [example] })
/** A part of the provider's data about the user. */
const Attribute = (description: string) => Type.Optional(Line(256, description))

const attributeMapping = Type.Optional(
  Type.Object(
    {
      id: Attribute('Permanent identifier of the user'),
      email: Attribute('Email address'),
      emailVerified: Attribute('Whether the identity provider has verified the email address'),
      name: Attribute('Display name'),
      avatar: Attribute('URL of a picture'),
    },
    {
      description:
        'Which claims or attributes of the identity provider hold which data of a user, if not the usual ones; dots lead into objects',
    },
  ),
)

const client = {
  clientId: Line(512, 'Client ID assigned by the identity provider', ['client-id']),
  clientSecret: Type.String({
    ...SECRET,
    minLength: 1,
    maxLength: 4096,
    description: 'Client secret assigned by the identity provider',
    examples: ['client-secret'],
  }),
}

const signOutAtProvider = (where: string) =>
  Type.Optional(
    Type.Boolean({
      description: `Whether users who sign out are led to the identity provider to sign out there too, ${where}. Default: false`,
    }),
  )

const optionsOfOidc = {
  scope: Type.Optional(Line(1024, 'Scopes, separated by spaces. Default: `openid profile email`')),
  tokenEndpointAuthMethod: Type.Optional(
    OneOf(['client_secret_basic', 'client_secret_post'], {
      description: 'How the client authenticates at the token endpoint. Default: client_secret_post',
    }),
  ),
  trustUnverifiedEmail: Type.Optional(
    Type.Boolean({
      description:
        'Whether addresses at the domains of the connector count as verified even if the identity provider says that they are not. Default: false',
    }),
  ),
  omitsAuthTime: Type.Optional(
    Type.Boolean({
      description:
        'Whether its ID tokens lack `auth_time` where a new sign-in is requested, as those of Entra ID do by default. If not, a sign-in without it is no proof of who the user is before a change of their account. Default: false, for Entra ID true',
    }),
  ),
  signOutAtProvider: signOutAtProvider(
    'if it supports RP-initiated logout; their ID token is kept, encrypted, until then',
  ),
  attributeMapping,
}

const OidcConfig = Type.Object({
  issuer: Address('Issuer of the ID tokens, which has /.well-known/openid-configuration', 'https://id.example.com'),
  ...client,
  ...optionsOfOidc,
})

const GoogleConfig = Type.Object({ ...client, ...optionsOfOidc })

/** SAML 2.0: metadata by URL or as XML, or the fields of it that are needed. */
const SamlConfig = Type.Object({
  metadataUrl: Type.Optional(
    Address('URL of the metadata of the identity provider', 'https://id.example.com/metadata'),
  ),
  metadata: Type.Optional(
    Type.String({ minLength: 1, maxLength: 262_144, description: 'The metadata of the identity provider, as XML' }),
  ),
  entityId: Type.Optional(
    Line(1024, 'Entity ID of the identity provider; with metadata of several providers, the one that is meant'),
  ),
  signInEndpoint: Type.Optional(Address('Where users sign in (HTTP-Redirect binding)', 'https://id.example.com/sso')),
  x509Certificate: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 65_536,
      description: 'The certificates that it signs with, in PEM format, one after another',
    }),
  ),
  nameIdFormat: Type.Optional(
    Line(256, 'Format of the NameID that is requested. Default: whichever the identity provider prefers', [
      'urn:oasis:names:tc:SAML:2.0:nameid-format:persistent',
    ]),
  ),
  signOutAtProvider: signOutAtProvider(
    'if its metadata has a SingleLogoutService and the connector an active signing key; their NameID is kept, encrypted, until then',
  ),
  attributeMapping,
})

/** The identity providers, by name, with the configuration of a connector for each. */
export const SSO_CONFIGS = {
  OIDC: OidcConfig,
  SAML: SamlConfig,
  AzureAD: SamlConfig,
  AzureAdOidc: OidcConfig,
  GoogleWorkspace: GoogleConfig,
  Okta: OidcConfig,
  PingIdentity: OidcConfig,
  OneLogin: OidcConfig,
  JumpCloud: OidcConfig,
} as const satisfies Readonly<Record<string, TObject>>

export type SsoProviderName = keyof typeof SSO_CONFIGS
export const SSO_PROVIDER_NAMES = Object.keys(SSO_CONFIGS) as SsoProviderName[]
/** What is configured so far: a connector may be created before the identity provider is. */
export type SsoConfig = Partial<Static<typeof OidcConfig> & Static<typeof SamlConfig>>
