/** In which organizations a third-party application may act, as the user chooses when consenting (DECISIONS E2). */
import { sql } from 'kysely'
import type { Tenant } from '../../kernel/tenant.ts'
import type { Store } from '../../storage/store.ts'
import { operation } from '../../storage/unit-of-work.ts'
import { advanceInteraction, type Consent } from './interactions.ts'

/** The most that are offered for a choice; the rest stay as they are. */
const MOST_OFFERED = 100

interface OfferedOrganization {
  readonly id: string
  readonly name: string
  /** Whether the user has agreed before. */
  readonly isChosen: boolean
}

/** The organizations of a user by name, and which of them they chose for an application. */
export const offeredOrganizations = async (
  { database }: Store,
  { id: tenantId }: Tenant,
  applicationId: string,
  userId: string,
): Promise<readonly OfferedOrganization[]> => {
  const { rows } = await sql<OfferedOrganization>`
    SELECT o.id, o.name, EXISTS (
      SELECT FROM applications_consent_organizations c
      WHERE c.tenant_id = m.tenant_id AND c.application_id = ${applicationId} AND c.user_id = m.user_id
        AND c.organization_id = m.organization_id) AS "isChosen"
    FROM organization_users m JOIN organizations o ON o.tenant_id = m.tenant_id AND o.id = m.organization_id
    WHERE m.tenant_id = ${tenantId} AND m.user_id = ${userId}
    ORDER BY lower(o.name), o.id LIMIT ${MOST_OFFERED}`.execute(database.kysely)
  return rows
}

interface Choice {
  readonly applicationId: string
  readonly userId: string
  /** Ids that were shown: those that are not chosen are withdrawn. */
  readonly offered: readonly string[]
  readonly chosen: readonly string[]
}

/** Records what the user agreed to, and for which organizations; those that they are not in are left out. */
export const recordConsentWithOrganizations = operation(
  [],
  async (unit, interactionId: string, consented: Consent, choice: Choice): Promise<void> => {
    const { tx, tenant, now } = unit
    const { applicationId, userId, offered } = choice
    const chosen = choice.chosen.filter((id) => offered.includes(id))
    await sql`DELETE FROM applications_consent_organizations
      WHERE tenant_id = ${tenant.id} AND application_id = ${applicationId} AND user_id = ${userId}
        AND organization_id = ANY(${offered}::text[]) AND organization_id <> ALL(${chosen}::text[])`.execute(tx)
    await sql`INSERT INTO applications_consent_organizations
        (tenant_id, application_id, user_id, organization_id, created_at)
      SELECT m.tenant_id, ${applicationId}, m.user_id, m.organization_id, ${now} FROM (
        SELECT * FROM organization_users
        WHERE tenant_id = ${tenant.id} AND user_id = ${userId} AND organization_id = ANY(${chosen}::text[])
        ORDER BY organization_id FOR KEY SHARE) AS m
      ON CONFLICT DO NOTHING`.execute(tx)
    unit.note({ applicationId, userId, organizations: chosen })
    await advanceInteraction(unit, interactionId, { consented })
  },
)
