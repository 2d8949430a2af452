/** The names that SDKs send for what is the server's own (DECISIONS E3). Their aliases are domain/permissions/reserved-names.ts. */

export const ORGANIZATIONS_SCOPE = 'urn:logto:scope:organizations'
export const ORGANIZATION_ROLES_SCOPE = 'urn:logto:scope:organization_roles'
/** Of the Account API. */
export const SESSIONS_SCOPE = 'urn:logto:scope:sessions'
export const TRUSTED_DEVICES_SCOPE = 'urn:logto:scope:trusted_devices'
/** Asks for permissions of organizations in an authorization request; no API can be registered under it. */
export const ORGANIZATIONS_RESOURCE = 'urn:logto:resource:organizations'
