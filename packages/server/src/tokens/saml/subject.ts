/** How an assertion names a user and what it says about them (DECISIONS P13). */

import { ORGANIZATION_ROLES_SCOPE, ORGANIZATIONS_SCOPE } from '@countersign/contract/reserved-names.ts'
import type { SamlClaim } from '@countersign/contract/saml-applications.ts'
import type { SamlSettings } from '../../domain/applications/saml-applications.ts'
import { type Holder, userinfoClaimsOf } from '../../domain/sign-in/identity.ts'
import type { Vault } from '../../kernel/secrets.ts'
import type { Tenant } from '../../kernel/tenant.ts'
import type { NameId } from './response.ts'

/** The user whom a name is for, where, and in which session. */
export interface Named {
  readonly applicationId: string
  readonly userId: string
  readonly sessionId: string
  /** Undefined: none, or one that was never verified. */
  readonly verifiedEmail: string | undefined
}

/**
 * The NameID of a user at an application. A persistent one is the same at every sign-in and another at every application; a
 * transient one is another in every session. Undefined: the format is emailAddress and the user has no verified address.
 */
export const nameIdOf = (
  vault: Vault,
  { id: tenantId }: Tenant,
  { nameIdFormat: format }: Pick<SamlSettings, 'nameIdFormat'>,
  { applicationId, userId, sessionId, verifiedEmail }: Named,
): NameId | undefined => {
  const derived = (of: string) =>
    vault.authenticate(`${tenantId}/${applicationId}/${of}`, 'saml-name-id').toString('base64url')
  switch (format) {
    case 'urn:oasis:names:tc:SAML:2.0:nameid-format:persistent':
      return { format, value: derived(`user/${userId}`) }
    case 'urn:oasis:names:tc:SAML:2.0:nameid-format:transient':
      return { format, value: derived(`session/${sessionId}`) }
    case 'urn:oasis:names:tc:SAML:1.1:nameid-format:emailAddress':
      return verifiedEmail === undefined ? undefined : { format, value: verifiedEmail }
    case 'urn:oasis:names:tc:SAML:1.1:nameid-format:unspecified':
      return { format, value: userId }
  }
}

/** The scope that each claim belongs to; `sub` needs none, and there are no accounts of enterprise SSO to tell of. */
const SCOPE_OF: ReadonlyMap<string, string> = new Map([
  ...(['email', 'email_verified'] as const).map((claim): [SamlClaim, string] => [claim, 'email']),
  ...(['phone_number', 'phone_number_verified'] as const).map((claim): [SamlClaim, string] => [claim, 'phone']),
  ['address', 'address'],
  ['custom_data', 'custom_data'],
  ['identities', 'identities'],
  ['roles', 'roles'],
  ['organizations', ORGANIZATIONS_SCOPE],
  ['organization_data', ORGANIZATIONS_SCOPE],
  ['organization_roles', ORGANIZATION_ROLES_SCOPE],
])

/** The scopes whose claims the attributes are made of. */
export const scopesOf = ({ attributeMapping }: Pick<SamlSettings, 'attributeMapping'>): string[] => [
  ...new Set(Object.keys(attributeMapping).map((claim) => SCOPE_OF.get(claim) ?? 'profile')),
]

const textsOf = (value: unknown): string[] => {
  if (Array.isArray(value)) return value.flatMap(textsOf)
  return [typeof value === 'object' ? JSON.stringify(value) : String(value)]
}

/** The attributes of a user: a list has a value each, an object is JSON. Claims without a value are left out. */
export const attributesOf = (
  settings: Pick<SamlSettings, 'attributeMapping'>,
  holder: Holder,
): readonly (readonly [string, readonly string[]])[] => {
  const claims: Readonly<Record<string, unknown>> = {
    ...userinfoClaimsOf(holder, scopesOf(settings)),
    sub: holder.user.id,
  }
  return Object.entries(settings.attributeMapping).flatMap(([claim, name]) => {
    const values = Object.hasOwn(claims, claim) ? textsOf(claims[claim]) : []
    return values.length > 0 ? [[name, values] as const] : []
  })
}
