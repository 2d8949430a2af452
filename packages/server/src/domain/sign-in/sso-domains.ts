/**
 * The email domains that belong to companies' identity providers: users with an address there sign in at the provider, and neither
 * by password nor by code (DECISIONS P2). The domains are in memory: only an address at one
 * of them is looked up.
 */
import { ApiError } from '../../kernel/api-error.ts'
import type { Tenant } from '../../kernel/tenant.ts'
import type { Db } from '../../storage/database.ts'
import { inTenant } from '../../storage/in-tenant.ts'
import { domainOfAddress } from '../credentials/email-domain.ts'
import type { Identifier } from '../credentials/identifiers.ts'
import { findUserByIdentifier, type UserRow } from '../users/rows.ts'
import type { SignInExperience } from './experience.ts'
import { organizationsAdmitting } from './organization-connectors.ts'

/** Where it is read: within a unit of work, or outside of one. */
interface Reading {
  readonly tx: Db
  readonly tenant: Tenant
}

interface Led {
  readonly id: string
  /** Null: the tenant's. */
  readonly organization_id: string | null
}

/** The connectors of the domain of an address, by name; none where single sign-on is off. */
const connectorsAt = async (
  { tx, tenant }: Reading,
  { ssoDomains }: SignInExperience,
  email: string,
): Promise<Led[]> => {
  const domain = domainOfAddress(email)
  if (domain === undefined || !ssoDomains.has(domain)) return []
  return tx
    .selectFrom('sso_connector_domains as d')
    .innerJoin('sso_connectors as c', (join) =>
      join.onRef('c.tenant_id', '=', 'd.tenant_id').onRef('c.id', '=', 'd.connector_id'),
    )
    .select(['c.id', 'c.organization_id'])
    .where(inTenant(tenant.id, 'd'))
    .where('d.domain', '=', domain)
    .where('c.is_complete', '=', true)
    .orderBy('c.connector_name')
    .execute()
}

/** Without those of organizations that must not sign this user in. @param userId undefined: there is no such user, who could be anyone's */
const admitting = async (
  { tx, tenant }: Reading,
  connectors: readonly Led[],
  userId: string | undefined,
): Promise<string[]> => {
  const organizationIds = connectors.flatMap(({ organization_id: id }) => id ?? [])
  const admitted = userId === undefined ? undefined : await organizationsAdmitting(tx, tenant, userId, organizationIds)
  return connectors.flatMap(({ id, organization_id: of }) => (of === null || (admitted?.has(of) ?? true) ? [id] : []))
}

const isOfOrganization = ({ organization_id }: Led): boolean => organization_id !== null

/** The connectors that an address leads to, by name, whether or not its user may do without. */
export const ssoConnectorIdsFor = async (
  reading: Reading,
  experience: SignInExperience,
  email: string,
): Promise<string[]> => {
  const connectors = await connectorsAt(reading, experience, email)
  if (!connectors.some(isOfOrganization)) return connectors.map(({ id }) => id)
  const user = await findUserByIdentifier(reading.tx, reading.tenant.id, { type: 'email', value: email })
  return admitting(reading, connectors, user?.id)
}

const refuse = (connectorIds: readonly string[]): void => {
  if (connectorIds.length > 0) throw new ApiError('session.sso_enabled', { connectorIds })
}

/** Whether the user may do without: the operator has named them, so that an outage of the provider does not lock everyone out. */
const isExempt = ({ singleSignOnExemptUserIds: exempt }: SignInExperience, userId: string | undefined): boolean =>
  userId !== undefined && exempt.includes(userId)

/** The connectors at which the user of an address has to sign in; none for an exempt one, and for what is no address. */
export const requiredSsoFor = async (
  reading: Reading,
  experience: SignInExperience,
  { type, value }: Identifier,
): Promise<string[]> => {
  if (type !== 'email') return []
  const connectors = await connectorsAt(reading, experience, value)
  if (connectors.length === 0) return []
  const { tx, tenant } = reading
  const user =
    experience.singleSignOnExemptUserIds.length > 0 || connectors.some(isOfOrganization)
      ? await findUserByIdentifier(tx, tenant.id, { type, value })
      : undefined
  return isExempt(experience, user?.id) ? [] : admitting(reading, connectors, user?.id)
}

/** Whether a user signs in without the identity provider that their address belongs to, as the operator allows them. */
export const doesWithoutSso = (
  experience: SignInExperience,
  { id, primary_email: email }: Pick<UserRow, 'id' | 'primary_email'>,
): boolean => isExempt(experience, id) && email !== null && experience.ssoDomains.has(domainOfAddress(email) ?? '')

/** Throws 422 `session.sso_enabled` for an address of a domain that belongs to a connector, unless its user is exempt. */
export const assertNoSsoAddress = async (
  reading: Reading,
  experience: SignInExperience,
  identifier: Identifier,
): Promise<void> => refuse(await requiredSsoFor(reading, experience, identifier))

/** Throws the same for a user with such an address, by whatever they have proved who they are. */
export const assertNoSsoUser = async (
  reading: Reading,
  experience: SignInExperience,
  { id, primary_email: email }: Pick<UserRow, 'id' | 'primary_email'>,
): Promise<void> => {
  if (email === null || isExempt(experience, id)) return
  refuse(await admitting(reading, await connectorsAt(reading, experience, email), id))
}
