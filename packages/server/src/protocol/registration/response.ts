/** The client information response (RFC 7591 section 3.2.1): everything that is registered, in the names of the specification. */

import type { RegisteredClient } from '../../domain/registered-clients/registered-clients.ts'
import { toNumericDate } from '../../kernel/clock.ts'
import type { Tenant } from '../../kernel/tenant.ts'
import { CUSTOM_MEMBERS, OIDC_MEMBERS, STATED_MEMBERS } from './members.ts'

/** The members of the settings that are set, by their names on the wire. */
const named = (settings: Readonly<Record<string, unknown>>, members: Readonly<Record<string, string>>) =>
  Object.entries(members).flatMap(([wire, own]) =>
    settings[own] === undefined ? [] : [[wire, settings[own]] as const],
  )

/** Where a client is managed (RFC 7592 section 3). */
export const configurationUri = ({ issuer }: Tenant, id: string): string => `${issuer}/register/${id}`

/** The body of the response to whoever holds the registration access token. */
export const clientInformation = (tenant: Tenant, { row, registrationToken, secret }: RegisteredClient): object => {
  const registration = row.registration ?? { applicationType: 'web', grantTypes: [], scope: '' }
  const isPublic = row.type !== 'Traditional'
  return {
    client_id: row.id,
    client_id_issued_at: toNumericDate(row.created_at),
    ...(secret === undefined ? {} : { client_secret: secret, client_secret_expires_at: 0 }),
    registration_access_token: registrationToken,
    registration_client_uri: configurationUri(tenant, row.id),
    client_name: row.name,
    application_type: registration.applicationType,
    grant_types: registration.grantTypes,
    response_types: registration.grantTypes.includes('authorization_code') ? ['code'] : [],
    scope: registration.scope,
    ...Object.fromEntries([
      ...named(row.oidc_client_metadata, OIDC_MEMBERS),
      ...named(row.custom_client_metadata, CUSTOM_MEMBERS),
      ...named(registration, STATED_MEMBERS),
    ]),
    ...(isPublic ? { token_endpoint_auth_method: 'none' } : {}),
    software_statement: 'softwareStatement' in registration ? registration.softwareStatement : undefined,
  }
}
