/**
 * Users whom an identity provider has sent without having been asked, until the authorization request that follows: each is signed in
 * once, in the browser that brought the assertion, for the application of the configuration (DECISIONS P19).
 */
import { randomBytes } from 'node:crypto'
import { secondsAfter } from '../../../kernel/clock.ts'
import { hashSecret } from '../../../kernel/secrets.ts'
import type { Tenant } from '../../../kernel/tenant.ts'
import { inTenant } from '../../../storage/in-tenant.ts'
import type { Store } from '../../../storage/store.ts'
import { operation } from '../../../storage/unit-of-work.ts'
import { getApplication } from '../../applications/rows.ts'
import { keptUnder } from '../kept-under.ts'
import type { EnterpriseAccount } from '../provider.ts'
import { exactUris, type IdpInitiated } from './idp-initiated.ts'

/** Enough to be redirected to the application and back. */
export const ARRIVAL_SECONDS = 300

/** What a secret has to be for. */
export interface Meant {
  readonly connectorId: string
  readonly applicationId: string
}

const purpose = (tenantId: string, connectorId: string): string => `sso-arrival/${tenantId}/${connectorId}`

/** Keeps an account; returns the secret for the cookie of the browser. */
export const keepArrival = operation(
  [],
  async (unit, { connectorId, applicationId }: IdpInitiated, account: EnterpriseAccount): Promise<string> => {
    const { tx, tenant, vault, now, note } = unit
    note({ connectorId, applicationId, issuer: account.issuer, identityId: account.id })
    const secret = randomBytes(32).toString('base64url')
    await tx
      .insertInto('sso_arrivals')
      .values({
        tenant_id: tenant.id,
        hash: hashSecret(secret),
        connector_id: connectorId,
        application_id: applicationId,
        sealed: vault.seal(JSON.stringify(account), purpose(tenant.id, connectorId)),
        expires_at: secondsAfter(now, ARRIVAL_SECONDS),
      })
      .execute()
    return secret
  },
)

/** Whether a user has arrived with this secret, who can still be taken. */
export const hasArrived = async (
  { database: { kysely }, clock }: Store,
  tenant: Tenant,
  secret: string,
  { connectorId, applicationId }: Meant,
): Promise<boolean> => {
  const row = await kysely
    .selectFrom('sso_arrivals')
    .select('expires_at')
    .where(keptUnder(tenant, connectorId, secret, clock.now()))
    .where('application_id', '=', applicationId)
    .executeTakeFirst()
  return row !== undefined
}

/**
 * Takes the account of a user who has arrived: one statement, so that of several requests one gets it. Undefined: there is none for this
 * connector and application, it has expired, or the connector has been switched off since, or leads to another application.
 */
export const takeArrival = operation(
  [],
  async (unit, secret: string, { connectorId, applicationId }: Meant): Promise<EnterpriseAccount | undefined> => {
    const { tx, tenant, vault, now, note } = unit
    note({ connectorId, applicationId })
    const row = await tx
      .deleteFrom('sso_arrivals as a')
      .using('sso_idp_initiated_configs as c')
      .where(inTenant(tenant.id, 'a'))
      .where(inTenant(tenant.id, 'c'))
      .where('a.hash', '=', hashSecret(secret))
      .where('a.connector_id', '=', connectorId)
      .where('a.application_id', '=', applicationId)
      .where('a.expires_at', '>', now)
      .whereRef('c.connector_id', '=', 'a.connector_id')
      .whereRef('c.application_id', '=', 'a.application_id')
      .returning('a.sealed')
      .executeTakeFirst()
    return row && (JSON.parse(vault.unseal(row.sealed, purpose(tenant.id, connectorId))) as EnterpriseAccount)
  },
)

/**
 * Where the browser goes on: to the authorization endpoint with a request of the application, or to the application, which makes one.
 * Nothing of what the identity provider sent is in it, so that it leads nowhere else. Throws 404 for an application that is gone.
 */
export const onwardAddress = async (
  store: Store,
  tenant: Tenant,
  { connectorId, applicationId, redirectUri, authParameters, isSentByServer, clientCallbackUri }: IdpInitiated,
): Promise<string> => {
  if (!isSentByServer) {
    const url = new URL(clientCallbackUri ?? tenant.baseUrl)
    url.searchParams.set('ssoConnectorId', connectorId)
    return url.href
  }
  const { oidc_client_metadata: metadata } = await getApplication(store, tenant, applicationId)
  const [first = ''] = exactUris(metadata)
  const scopes = new Set(['openid', 'profile', ...(authParameters.scope ?? '').split(' ').filter(Boolean)])
  const request = new URLSearchParams({
    client_id: applicationId,
    redirect_uri: redirectUri ?? first,
    response_type: 'code',
    scope: [...scopes].join(' '),
    // the user who was signed in here before may be another
    prompt: 'login',
    direct_sign_in: `sso:${connectorId}`,
  })
  return `${tenant.baseUrl}/oidc/auth?${request}`
}
