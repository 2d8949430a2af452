/** Sessions and grants as the Management API and the Account API show them. */
import { toNumericDate } from '../../kernel/clock.ts'
import type { UserGrant, UserSession } from './sessions.ts'

const submissionOf = ({ last_submission, ip, user_agent, user_id }: UserSession) =>
  last_submission && {
    interactionEvent: last_submission.interactionEvent as 'SignIn' | 'Register' | 'ForgotPassword',
    userId: user_id,
    // sessions of earlier versions remember none
    verificationRecords: (last_submission.verificationRecords ?? []) as Record<string, unknown>[],
    signInContext: { ...(ip === null ? {} : { ip }), ...(user_agent === null ? {} : { userAgent: user_agent }) },
  }

export const sessionView = (session: UserSession) => ({
  payload: {
    exp: toNumericDate(session.expires_at),
    iat: toNumericDate(session.created_at),
    jti: session.id,
    uid: session.id,
    kind: 'Session' as const,
    loginTs: toNumericDate(session.authenticated_at),
    accountId: session.user_id,
    authorizations: Object.fromEntries(
      session.grants.map(({ id, application_id, scopes }) => [
        application_id,
        { sid: session.id, grantId: id, persistsLogout: scopes.includes('offline_access') },
      ]),
    ),
  },
  lastSubmission: submissionOf(session),
  clientId: session.application_id,
  accountId: session.user_id,
  expiresAt: session.expires_at.getTime(),
})

export const grantView = (grant: UserGrant) => ({
  id: grant.id,
  payload: {
    exp: toNumericDate(grant.expires_at),
    iat: toNumericDate(grant.created_at),
    jti: grant.id,
    kind: 'Grant' as const,
    clientId: grant.application_id,
    accountId: grant.user_id,
  },
  expiresAt: grant.expires_at.getTime(),
  application: { id: grant.application_id, name: grant.application_name },
})
