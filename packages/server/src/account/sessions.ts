/** `/my-account/sessions`, `/grants` and `/trusted-devices`: where one is signed in, and what one gave applications. */
import { accountSessionRoutes } from '@countersign/contract/account-sessions.ts'
import { assertShown } from '../domain/account/field-policy.ts'
import {
  deleteOwnDevice,
  endOtherSessions,
  endOwnSession,
  type OwnSession,
  ownGrants,
  ownSessions,
  revokeOwnGrant,
} from '../domain/account/own-sessions.ts'
import { deviceView } from '../domain/factors/factor-view.ts'
import { listTrustedDevices } from '../domain/factors/trusted-devices.ts'
import { grantView, sessionView } from '../domain/users/session-view.ts'
import { bind } from '../http/api.ts'
import { readCookie } from '../http/cookies.ts'
import { opaqueHash } from '../kernel/opaque.ts'
import type { Places } from '../kernel/places.ts'
import { holderOf } from './authorize.ts'
import { rulesOf } from './rules.ts'

const toSession = (session: OwnSession, currentId: string | null, places: Places) => {
  const place = places.of(session.ip ?? undefined)
  return {
    ...sessionView(session),
    isCurrent: session.id === currentId,
    applicationName: session.applicationName,
    userAgent: session.user_agent,
    ip: session.ip,
    country: place?.country ?? null,
    city: place?.city ?? null,
    lastUsedAt: session.lastUsedAt.getTime(),
  }
}

export const accountSessionHandlers = bind(accountSessionRoutes, {
  async listMySessions(_input, call) {
    const { userId, sessionId } = holderOf(call)
    assertShown((await rulesOf(call)).center, 'session')
    const sessions = await ownSessions(call.store, call.tenant, userId)
    return { sessions: sessions.map((session) => toSession(session, sessionId, call.store.places)) }
  },
  async endMyOtherSessions(_input, call) {
    await call.perform(endOtherSessions, holderOf(call), await rulesOf(call))
  },
  async endMySession({ params, query }, call) {
    const rules = await rulesOf(call)
    await call.perform(endOwnSession, holderOf(call), rules, params.sessionId, query.revokeGrantsTarget)
  },
  async listMyGrants({ query }, call) {
    const { userId, grantId } = holderOf(call)
    assertShown((await rulesOf(call)).center, 'session')
    const ofThirdParties = query.appType === undefined ? undefined : query.appType === 'thirdParty'
    const grants = await ownGrants(call.store, call.tenant, userId, ofThirdParties)
    return {
      grants: grants.map((grant) => ({
        ...grantView(grant),
        scopes: grant.scopes,
        isThirdParty: grant.isThirdParty,
        isCurrent: grant.id === grantId,
        lastUsedAt: grant.lastUsedAt.getTime(),
      })),
    }
  },
  async revokeMyGrant({ params }, call) {
    await call.perform(revokeOwnGrant, holderOf(call), await rulesOf(call), params.grantId)
  },
  async listMyDevices({ query: { page = 1, page_size = 50 } }, call) {
    const { store, tenant, exchange } = call
    assertShown((await rulesOf(call)).center, 'trustedDevice')
    const current = opaqueHash('device', readCookie(exchange, 'device'))
    const devices = await listTrustedDevices(store, tenant, holderOf(call).userId)
    return devices.slice((page - 1) * page_size, page * page_size).map((row) => ({
      ...deviceView(row, store.places),
      isCurrent: current?.equals(row.secret_hash) ?? false,
    }))
  },
  async deleteMyDevice({ params }, call) {
    await call.perform(deleteOwnDevice, holderOf(call), await rulesOf(call), params.trustedDeviceId)
  },
})
