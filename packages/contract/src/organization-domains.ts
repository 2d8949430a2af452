/** The email domains of organizations: proved by a TXT record, they lead to the SSO connectors of the organization. */
import Type from 'typebox'
import { routes } from './route.ts'
import { EpochMilliseconds, Id, Nullable } from './schema.ts'

const Domain = Type.String({
  minLength: 1,
  maxLength: 256,
  description: 'A domain name of at least two labels; kept in lower case, other scripts in ASCII (Punycode)',
})

export const OrganizationDomain = Type.Object({
  organizationId: Id,
  domain: Domain,
  verifiedAt: Nullable(EpochMilliseconds),
  record: Type.Object(
    { name: Type.String(), value: Type.String() },
    { description: 'The TXT record that proves that the domain belongs to the organization' },
  ),
  createdAt: EpochMilliseconds,
})

/** What a request that adds a domain names. */
export const OrganizationDomainAdd = Type.Object({ domain: Domain })

/** Of a domain in the path. */
export const OrganizationDomainParams = Type.Object({ id: Id, domain: Type.String({ minLength: 1, maxLength: 256 }) })

export const ADD_DOMAIN_ERRORS = [
  'entity.not_exists_with_id',
  'entity.unique_integrity_violation',
  'single_sign_on.domain_in_use',
  'single_sign_on.forbidden_domains',
  'single_sign_on.invalid_domain_format',
  'single_sign_on.reach_limit',
] as const
export const VERIFY_DOMAIN_ERRORS = [
  'entity.not_exists_with_id',
  'single_sign_on.domain_in_use',
  'single_sign_on.domain_record_not_found',
] as const

export const organizationDomainRoutes = routes({
  listOrganizationDomains: {
    method: 'GET',
    path: '/organizations/:id/domains',
    permission: 'read:connectors',
    alsoPermission: 'read:organizations',
    summary: 'List the email domains of an organization',
    description: 'At most fifty, in alphabetical order.',
    params: Type.Object({ id: Id }),
    status: 200,
    response: Type.Array(OrganizationDomain),
    errors: ['entity.not_exists_with_id'],
  },
  addOrganizationDomain: {
    method: 'POST',
    path: '/organizations/:id/domains',
    permission: 'write:connectors',
    summary: 'Add an email domain of an organization',
    description:
      'Create the TXT record of the response, then verify the domain. With `isVerified` you vouch for it, and no record is needed. A domain belongs to one organization, or to connectors of the tenant.',
    params: Type.Object({ id: Id }),
    body: Type.Object({ ...OrganizationDomainAdd.properties, isVerified: Type.Optional(Type.Boolean()) }),
    status: 201,
    response: OrganizationDomain,
    errors: ADD_DOMAIN_ERRORS,
  },
  verifyOrganizationDomain: {
    method: 'POST',
    path: '/organizations/:id/domains/:domain/verification',
    permission: 'write:connectors',
    summary: 'Look for the TXT record of an email domain',
    description: 'A domain that is verified stays so until it is removed.',
    params: OrganizationDomainParams,
    status: 200,
    response: OrganizationDomain,
    errors: VERIFY_DOMAIN_ERRORS,
  },
  removeOrganizationDomain: {
    method: 'DELETE',
    path: '/organizations/:id/domains/:domain',
    permission: 'write:connectors',
    summary: 'Remove an email domain of an organization',
    description: 'The SSO connectors of the organization lose it too.',
    params: OrganizationDomainParams,
    status: 204,
    errors: ['entity.not_exists_with_id'],
  },
})
