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
  readonly signOut: SamlEndpoints
  /** That it signs with, in PEM; several while it changes them. */
  readonly certificates: readonly string[]
  readonly wantsSignedRequests: boolean
}

/** Names of attributes, the first that is there counts. */
export interface SamlAttributes {
  /** Empty: the NameID. */
  readonly id: readonly string[]
  readonly email: readonly string[]
  readonly name: readonly string[]
  readonly avatar: readonly string[]
}

/** This server, as one connector presents it: each has an entity ID and addresses of its own, so that responses cannot be mixed up. */
export interface ServiceProvider {
  readonly entityId: string
  /** Where responses are posted (assertion consumer service). */
  readonly acs: string
  /** Where the identity provider announces a sign-out. */
  readonly slo: string
  /** That requests are signed with; the first is active. Also those that assertions may be encrypted to. */
  readonly keys: readonly CertifiedKey[]
}

/** How a connector presents this server. */
export const serviceProvider = (
  { baseUrl }: Pick<Tenant, 'baseUrl'>,
  connectorId: string,
  keys: readonly CertifiedKey[],
): ServiceProvider => ({
  entityId: `${baseUrl}/enterprise-sso/${connectorId}`,
  acs: `${baseUrl}/api/authn/single-sign-on/saml/${connectorId}`,
  slo: `${baseUrl}/api/authn/single-sign-on/saml/${connectorId}/logout`,
  keys,
})
