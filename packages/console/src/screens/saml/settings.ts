/** The settings of a SAML application as values of forms, and back. */
import type { Answer } from '../../api/client.ts'
import { tenantOrigin } from '../../session/place.ts'

export type SamlApplication = Answer<'getSamlApplication'>
export type NameIdFormat = SamlApplication['nameIdFormat']
export type Claim = keyof SamlApplication['attributeMapping']

export const POST_BINDING = 'urn:oasis:names:tc:SAML:2.0:bindings:HTTP-POST'
export const REDIRECT_BINDING = 'urn:oasis:names:tc:SAML:2.0:bindings:HTTP-Redirect'

/** With the last part of their names, which phrases are found by. */
export const NAME_ID_FORMATS = [
  ['urn:oasis:names:tc:SAML:2.0:nameid-format:persistent', 'persistent'],
  ['urn:oasis:names:tc:SAML:1.1:nameid-format:emailAddress', 'emailAddress'],
  ['urn:oasis:names:tc:SAML:2.0:nameid-format:transient', 'transient'],
  ['urn:oasis:names:tc:SAML:1.1:nameid-format:unspecified', 'unspecified'],
] as const satisfies readonly (readonly [NameIdFormat, string])[]

/** Every claim that an attribute can hold; the compiler finds one that is missing. */
const CLAIM_NAMES: Readonly<Record<Claim, true>> = {
  sub: true,
  name: true,
  given_name: true,
  family_name: true,
  middle_name: true,
  nickname: true,
  preferred_username: true,
  username: true,
  email: true,
  email_verified: true,
  phone_number: true,
  phone_number_verified: true,
  picture: true,
  profile: true,
  website: true,
  gender: true,
  birthdate: true,
  zoneinfo: true,
  locale: true,
  address: true,
  created_at: true,
  updated_at: true,
  roles: true,
  organizations: true,
  organization_data: true,
  organization_roles: true,
  identities: true,
  sso_identities: true,
  custom_data: true,
}
export const CLAIMS = Object.keys(CLAIM_NAMES) as Claim[]

/** The certificates of a text, in PEM, one after the other. */
export const certificatesOf = (text: string): string[] =>
  text
    .split(/(?<=-----END CERTIFICATE-----)/)
    .map((each) => each.trim())
    .filter((each) => each !== '')

/** The addresses of this server that the application has to know. */
export const addressesOf = (id: string) => ({
  metadata: `${tenantOrigin()}/api/saml-applications/${id}/metadata`,
  signOn: `${tenantOrigin()}/api/saml/${id}/authn`,
  logout: `${tenantOrigin()}/api/saml/${id}/slo`,
})
