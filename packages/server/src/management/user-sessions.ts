/** `/users/:userId/sessions` and `/grants`: where a user is signed in, and what they gave applications. */
import { userSessionRoutes } from '@countersign/contract/user-sessions.ts'
import {
  endUserSession,
  getUserSession,
  listUserGrants,
  listUserSessions,
  revokeUserGrant,
  type UserGrant,
  type UserSession,
} from '../domain/users/sessions.ts'
import { bind } from '../http/api.ts'
import { toNumericDate } from '../kernel/clock.ts'

const submissionOf = ({ last_submission, ip, user_agent, user_id }: UserSession) =>
  last_submission && {
    interactionEvent: last_submission.interactionEvent as 'SignIn' | 'Register' | 'ForgotPassword',
    userId: user_id,
    // sessions of earlier versions remember none
    verificationRecords: (last_submission.verificationRecords ?? []) as Record<string, unknown>[],
    signInContext: { ...(ip === null ? {} : { ip }), ...(user_agent === null ? {} : { userAgent: user_agent }) },
  }

const toSession = (session: UserSession) => ({
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

const toGrant = (grant: UserGrant) => ({
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

export const userSessionHandlers = bind(userSessionRoutes, {
  async listUserSessions({ params }, { store, tenant }) {
    return { sessions: (await listUserSessions(store, tenant, params.userId)).map(toSession) }
  },
  async getUserSession({ params }, { store, tenant }) {
    return toSession(await getUserSession(store, tenant, params.userId, params.sessionId))
  },
  async endUserSession({ params, query }, { perform }) {
    await perform(endUserSession, params.userId, params.sessionId, query.revokeGrantsTarget)
  },
  async listUserGrants({ params, query }, { store, tenant }) {
    const ofThirdParties = query.appType === undefined ? undefined : query.appType === 'thirdParty'
    return { grants: (await listUserGrants(store, tenant, params.userId, ofThirdParties)).map(toGrant) }
  },
  async revokeUserGrant({ params }, { perform }) {
    await perform(revokeUserGrant, params.userId, params.grantId)
  },
})
