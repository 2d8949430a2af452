/** The two parties of a SAML sign-in: the identity provider as its metadata describes it, and this server as a connector presents it. */
import type { CertifiedKey } from '../../../kernel/certificates.ts'
import type { Tenant } from '../../../kernel/tenant.ts'

/** Addresses by binding. */
export interface SamlEndpoints {
  readonly redirect?: string
  readonly post?: string
}

/** What is known of an identity provider. */
export interface SamlIdentityProvider {
  readonly entityId: string
  readonly signIn: SamlEndpoints
  /** Where requests for single logout go; empty where it has none. */
  readonly signOut: SamlEndpoints
  /** Where answers to its own requests for single logout go. */
  readonly signOutAnswer: SamlEndpoints
  /** That it signs with, in PEM; several while it changes them. */
  readonly certificates: readonly string[]
  readonly wantsSignedRequests: boolean
}

/** Names of attributes, the first that is there counts. */
export interface SamlAttributes {
  /** Empty: the NameID. */
  readonly id: readonly string[]
  readonly email: readonly string[]
  /** Empty: the identity provider does not say it. */
  readonly emailVerified: readonly string[]
  readonly name: readonly string[]
  readonly avatar: readonly string[]
}

/** Where a connector has what is known of its identity provider: metadata by address or as XML, or the fields that are needed. */
export interface SamlSource {
  readonly metadataUrl?: string | undefined
  readonly metadata?: string | undefined
  /** Without metadata the entity ID; else which one of several. */
  readonly entityId?: string | undefined
  readonly signInEndpoint?: string | undefined
  /** Certificates in PEM, one after another. */
  readonly x509Certificate?: string | undefined
}

/** A SAML connector, as a visit needs it. */
export interface SamlProvider {
  readonly at: { readonly protocol: 'saml'; readonly source: SamlSource }
  readonly attributes: SamlAttributes
  /** That is asked for; undefined: what the identity provider prefers. */
  readonly nameIdFormat: string | undefined
}

/** This server, as one connector presents it: each has an entity ID and addresses of its own, so that responses cannot be mixed up. */
export interface ServiceProvider {
  readonly entityId: string
  /** Where responses are posted (assertion consumer service). */
  readonly acs: string
  /** Where messages of single logout are sent. */
  readonly logout: string
  readonly keys: ConnectorKeys
}

/** The keys of a connector. */
export interface ConnectorKeys {
  /** That requests are signed with; undefined: they are not signed. */
  readonly active: CertifiedKey | undefined
  /** That assertions may be encrypted to, and requests may be signed with in future: also the active one. */
  readonly all: readonly CertifiedKey[]
}

/** How a connector presents this server. */
export const serviceProvider = (
  { baseUrl }: Pick<Tenant, 'baseUrl'>,
  connectorId: string,
  keys: ConnectorKeys,
): ServiceProvider => ({
  entityId: `${baseUrl}/enterprise-sso/${connectorId}`,
  acs: `${baseUrl}/api/authn/single-sign-on/saml/${connectorId}`,
  logout: `${baseUrl}/enterprise-sso/${connectorId}/logout`,
  keys,
})
