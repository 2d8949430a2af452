/** Whether a SAML identity provider may begin a sign-in itself, and the application that it leads to. Off without a configuration. */
import type { IdpInitiatedConfigInput } from '@countersign/contract/sso-idp-initiated.ts'
import { ApiError, notFound } from '../../../kernel/api-error.ts'
import type { Tenant } from '../../../kernel/tenant.ts'
import type { Db } from '../../../storage/database.ts'
import { inTenant } from '../../../storage/in-tenant.ts'
import { operation, type Unit } from '../../../storage/unit-of-work.ts'
import { assertHttpUri } from '../../applications/redirect-uris.ts'
import { type ApplicationType, lockApplication } from '../../applications/rows.ts'
import { underProfile } from '../../applications/security-profile.ts'
import { readSecuritySettings } from '../../tenants/security-settings.ts'
import { ssoPreset } from './presets.ts'

export interface IdpInitiated {
  readonly connectorId: string
  readonly applicationId: string
  /** Null: the first that the application has registered. */
  readonly redirectUri: string | null
  readonly authParameters: { readonly scope?: string }
  /** Whether the server sends the authorization request; else the application does, at `clientCallbackUri`. */
  readonly isSentByServer: boolean
  readonly clientCallbackUri: string | null
  readonly createdAt: Date
}

const ofTenant = (db: Db, { id }: Pick<Tenant, 'id'>) =>
  db
    .selectFrom('sso_idp_initiated_configs')
    .select([
      'connector_id as connectorId',
      'application_id as applicationId',
      'redirect_uri as redirectUri',
      'auth_parameters as authParameters',
      'is_sent_by_server as isSentByServer',
      'client_callback_uri as clientCallbackUri',
      'created_at as createdAt',
    ])
    .where(inTenant(id))

/** Of a connector; undefined: responses without a request are refused. */
export const findIdpInitiated = (
  db: Db,
  tenant: Pick<Tenant, 'id'>,
  connectorId: string,
): Promise<IdpInitiated | undefined> => ofTenant(db, tenant).where('connector_id', '=', connectorId).executeTakeFirst()

/** Of all connectors. */
export const idpInitiatedOf = ({ tx, tenant }: Pick<Unit, 'tx' | 'tenant'>): Promise<IdpInitiated[]> =>
  ofTenant(tx, tenant).orderBy('connector_id').execute()

/** Throws 404, 400 for a connector that does not speak SAML. */
const lockSamlConnector = async ({ tx, tenant }: Unit, connectorId: string): Promise<void> => {
  const row = await tx
    .selectFrom('sso_connectors')
    .select('provider_name')
    .where(inTenant(tenant.id))
    .where('id', '=', connectorId)
    .forNoKeyUpdate()
    .executeTakeFirst()
  if (!row) throw notFound('SSO connector', connectorId)
  if (ssoPreset(row.provider_name).providerType !== 'saml')
    throw new ApiError('single_sign_on.idp_initiated_authentication_not_supported')
}

/** A code is of use only to an application that needs no verifier for it (RFC 7636), which the server does not have. */
const typesFor = (isSentByServer: boolean): readonly ApplicationType[] =>
  isSentByServer ? ['Traditional'] : ['Traditional', 'SPA']

/** The redirect URIs without a wildcard: a browser can be sent to no other. */
export const exactUris = ({ redirectUris = [] }: { readonly redirectUris?: readonly string[] }): readonly string[] =>
  redirectUris.filter((uri) => !uri.includes('*'))

const assertApplication = async (unit: Unit, input: IdpInitiatedConfigInput): Promise<void> => {
  const { autoSendAuthorizationRequest: isSent, clientIdpInitiatedAuthCallbackUri: callback, redirectUri } = input
  const application = await lockApplication(unit, input.defaultApplicationId)
  const types = typesFor(isSent)
  if (!types.includes(application.type) || application.is_third_party)
    throw new ApiError('single_sign_on.idp_initiated_authentication_invalid_application_type', { types })
  if (!isSent && callback === undefined)
    throw new ApiError('guard.invalid_input', {
      reason: 'clientIdpInitiatedAuthCallbackUri is required unless the server sends the authorization request',
    })
  await assertHttpUri('clientIdpInitiatedAuthCallbackUri', callback)
  const settings = await readSecuritySettings(unit.tx, unit.tenant.id)
  const demanded = underProfile(application.custom_client_metadata, settings)
  const { requirePkce, requirePushedAuthorizationRequests: isPushed, requireSignedRequestObject: isSigned } = demanded
  if (isSent && (requirePkce || isPushed || isSigned))
    throw new ApiError('guard.invalid_input', {
      reason: `the application requires ${requirePkce ? 'PKCE' : 'pushed or signed requests'}, so that the server cannot send the authorization request in its place`,
    })
  const registered = exactUris(application.oidc_client_metadata)
  const isRegistered = redirectUri ? registered.includes(redirectUri) : !isSent || registered.length > 0
  if (!isRegistered) throw new ApiError('single_sign_on.idp_initiated_authentication_redirect_uri_not_registered')
}

/** Users who have arrived and are not signed in yet begin anew: what they came by has changed. */
const dropArrivals = ({ tx, tenant }: Unit, connectorId: string) =>
  tx.deleteFrom('sso_arrivals').where(inTenant(tenant.id)).where('connector_id', '=', connectorId).execute()

/** Switches it on, or replaces what there is. Throws 404, 400. */
export const putIdpInitiated = operation(
  [],
  async (unit, connectorId: string, input: IdpInitiatedConfigInput): Promise<IdpInitiated> => {
    const { tx, tenant, now } = unit
    await lockSamlConnector(unit, connectorId)
    await assertApplication(unit, input)
    const before = await findIdpInitiated(tx, tenant, connectorId)
    const stored = {
      application_id: input.defaultApplicationId,
      redirect_uri: input.redirectUri ?? null,
      auth_parameters: JSON.stringify(input.authParameters ?? {}),
      is_sent_by_server: input.autoSendAuthorizationRequest,
      client_callback_uri: input.clientIdpInitiatedAuthCallbackUri ?? null,
    }
    await tx
      .insertInto('sso_idp_initiated_configs')
      .values({ tenant_id: tenant.id, connector_id: connectorId, created_at: now, ...stored })
      .onConflict((conflict) => conflict.columns(['tenant_id', 'connector_id']).doUpdateSet(stored))
      .execute()
    await dropArrivals(unit, connectorId)
    const after = await findIdpInitiated(tx, tenant, connectorId)
    if (!after) throw new Error('A row that was just written is not there')
    unit.concerns('ssoConnector', connectorId, { before: { idpInitiated: before }, after: { idpInitiated: after } })
    unit.concerns('application', after.applicationId)
    return after
  },
)

/** Switches it off. Throws 404. */
export const deleteIdpInitiated = operation([], async (unit, connectorId: string): Promise<void> => {
  const { tx, tenant } = unit
  const row = await tx
    .deleteFrom('sso_idp_initiated_configs')
    .where(inTenant(tenant.id))
    .where('connector_id', '=', connectorId)
    .returning('application_id')
    .executeTakeFirst()
  await dropArrivals(unit, connectorId)
  if (!row) throw notFound('configuration of sign-in at the identity provider', connectorId)
  unit.concerns('ssoConnector', connectorId, { before: { idpInitiated: { applicationId: row.application_id } } })
})
