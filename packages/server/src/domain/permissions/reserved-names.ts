/**
 * How the server's reserved names are interpreted (DECISIONS E3). SDKs send those with `logto`; the same with
 * `countersign` are aliases. A request keeps the name that it was made with; readers look up its meaning here.
 */
import {
  type ORGANIZATION_ROLES_SCOPE,
  ORGANIZATIONS_RESOURCE,
  type ORGANIZATIONS_SCOPE,
} from '@countersign/contract/reserved-names.ts'

const ORGANIZATION_AUDIENCE = 'urn:logto:organization:'

const OURS = 'urn:countersign:'
const THEIRS = 'urn:logto:'

/** The name that SDKs use for this one; any other name unchanged. */
export const canonicalName = (name: string): string =>
  name.startsWith(OURS) ? `${THEIRS}${name.slice(OURS.length)}` : name

/** Whether these scopes contain the reserved one, by either name. */
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

/** Whether an authorization named no resource. Before that was recorded, it had none if there was no default API. */
export const namesNoResource = (authorized: readonly string[]): boolean =>
  authorized.length === 0 || authorized.includes(DEFAULT_RESOURCE)

/**
 * Whether an indicator is one that tokens of organizations have or are requested with: an API with it would be taken
 * for an organization.
 */
export const isReservedIndicator = (indicator: string): boolean =>
  indicator === DEFAULT_RESOURCE ||
  isOrganizationsResource(indicator) ||
  canonicalName(indicator).startsWith(ORGANIZATION_AUDIENCE)

/** `aud` of the token of an organization. */
export const organizationAudience = (organizationId: string): string => `${ORGANIZATION_AUDIENCE}${organizationId}`
