/** The part of an application in a session: for logout that the application asks for. */
import { inTenant } from '../../storage/in-tenant.ts'
import type { Unit } from '../../storage/unit-of-work.ts'

interface UserInSession {
  readonly userId: string
  /** Undefined: none, or one that was never verified. */
  readonly verifiedEmail: string | undefined
}

/** The user of a live session in which the application has a grant; the grant is locked. Undefined: there is none. */
export const userInSession = async (
  { tx, tenant, now }: Unit,
  sessionId: string,
  applicationId: string,
): Promise<UserInSession | undefined> => {
  const row = await tx
    .selectFrom('grants')
    .innerJoin('users', (join) =>
      join.onRef('users.tenant_id', '=', 'grants.tenant_id').onRef('users.id', '=', 'grants.user_id'),
    )
    .select(['grants.user_id', 'users.primary_email', 'users.email_verified_at'])
    .where(inTenant(tenant.id, 'grants'))
    .where('grants.session_id', '=', sessionId)
    .where('grants.application_id', '=', applicationId)
    .where('grants.expires_at', '>', now)
    .forUpdate('grants')
    .executeTakeFirst()
  return row && { userId: row.user_id, verifiedEmail: (row.email_verified_at && row.primary_email) || undefined }
}

/** Ends the grant of an application in a session: it is not notified of the end of the session that it has caused. */
export const leaveSession = async ({ tx, tenant }: Unit, sessionId: string, applicationId: string): Promise<void> => {
  await tx
    .deleteFrom('grants')
    .where(inTenant(tenant.id))
    .where('session_id', '=', sessionId)
    .where('application_id', '=', applicationId)
    .execute()
}
