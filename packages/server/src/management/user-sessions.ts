/** `/users/:userId/sessions` and `/grants`: where a user is signed in, and what they gave applications. */
import { userSessionRoutes } from '@countersign/contract/user-sessions.ts'
import { grantView, sessionView } from '../domain/users/session-view.ts'
import {
  endUserSession,
  getUserSession,
  listUserGrants,
  listUserSessions,
  revokeUserGrant,
} from '../domain/users/sessions.ts'
import { bind } from '../http/api.ts'

export const userSessionHandlers = bind(userSessionRoutes, {
  async listUserSessions({ params }, { store, tenant }) {
    return { sessions: (await listUserSessions(store, tenant, params.userId)).map(sessionView) }
  },
  async getUserSession({ params }, { store, tenant }) {
    return sessionView(await getUserSession(store, tenant, params.userId, params.sessionId))
  },
  async endUserSession({ params, query }, { perform }) {
    await perform(endUserSession, params.userId, params.sessionId, query.revokeGrantsTarget)
  },
  async listUserGrants({ params, query }, { store, tenant }) {
    const ofThirdParties = query.appType === undefined ? undefined : query.appType === 'thirdParty'
    return { grants: (await listUserGrants(store, tenant, params.userId, ofThirdParties)).map(grantView) }
  },
  async revokeUserGrant({ params }, { perform }) {
    await perform(revokeUserGrant, params.userId, params.grantId)
  },
})
