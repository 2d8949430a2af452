/**
 * How the names that the server keeps for itself are read (DECISIONS E3). SDKs send those with `logto`; the same with
 * `countersign` are aliases. A request keeps the name that it was made with; anyone who reads it asks here what is meant.
 */
import {
  type ORGANIZATION_ROLES_SCOPE,
  ORGANIZATIONS_RESOURCE,
  type ORGANIZATIONS_SCOPE,
} from '@countersign/contract/reserved-names.ts'

const ORGANIZATION_AUDIENCE = 'urn:logto:organization:'

const OURS = 'urn:countersign:'
const THEIRS = 'urn:logto:'

/** The name that SDKs know for this one; any other name as it is. */
export const canonicalName = (name: string): string =>
  name.startsWith(OURS) ? `${THEIRS}${name.slice(OURS.length)}` : name

/** Whether these scopes hold the reserved one, by either name. */
export const hasReservedScope = (
  scopes: readonly string[],
  reserved: typeof ORGANIZATIONS_SCOPE | typeof ORGANIZATION_ROLES_SCOPE,
): boolean => scopes.some((scope) => canonicalName(scope) === reserved)

/** Both names of reserved ones, for SQL that looks for either. */
export const bothNames = (...reserved: readonly string[]): string[] =>
  reserved.flatMap((name) => [name, name.replace(THEIRS, OURS)])

export const isOrganizationsResource = (indicator: string): boolean =>
  canonicalName(indicator) === ORGANIZATIONS_RESOURCE

/**
 * Among the resources of an authorization: it named none, so the default API of the time of each token request is meant
 * (SPEC 2.3). Never sent by a client.
 */
export const DEFAULT_RESOURCE = 'urn:countersign:resource:default'

/** Whether an authorization named no resource. Before that was kept, it had none where there was no default API. */
export const namesNoResource = (authorized: readonly string[]): boolean =>
  authorized.length === 0 || authorized.includes(DEFAULT_RESOURCE)

/** Whether an indicator is one that tokens of organizations have, or ask by: an API under it would be taken for them. */
export const isReservedIndicator = (indicator: string): boolean =>
  indicator === DEFAULT_RESOURCE ||
  isOrganizationsResource(indicator) ||
  canonicalName(indicator).startsWith(ORGANIZATION_AUDIENCE)

/** `aud` of the token of an organization. */
export const organizationAudience = (organizationId: string): string => `${ORGANIZATION_AUDIENCE}${organizationId}`
