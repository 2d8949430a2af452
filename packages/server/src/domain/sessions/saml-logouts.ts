/**
 * Sign-outs that lead a browser through the SAML applications of a session, one after the other (DECISIONS P14): which are left, which
 * have answered, and where the browser goes in the end.
 */
import type { SamlSettings } from '@countersign/contract/saml-applications.ts'
import { sql } from 'kysely'
import type { Static } from 'typebox'
import { secondsAfter } from '../../kernel/clock.ts'
import { newId } from '../../kernel/ids.ts'
import { newHashedOpaque, opaqueHash } from '../../kernel/opaque.ts'
import type { Tenant } from '../../kernel/tenant.ts'
import { inTenant } from '../../storage/in-tenant.ts'
import { operation, type Tx } from '../../storage/unit-of-work.ts'

/** Users may read a page between two applications; an application's own session has rarely ended by then. */
export const SAML_LOGOUT_SECONDS = 1800

/** The name of the cookie that holds the secret. */
export const SAML_LOGOUT_COOKIE = 'saml-logout'
/** Below the base URL: where the browser goes from one application to the next. */
export const SAML_LOGOUT_PATH = '/api/saml/sign-out'

/** An application in which a user was signed in, in a session. */
export interface Participant {
  readonly applicationId: string
  readonly userId: string
  /** The SessionIndex that the application knows. */
  readonly sessionId: string
}

/** The SAML applications of sessions that are about to end. */
export interface Participants {
  /** Those that get a request through the browser. */
  readonly reachable: readonly Participant[]
  /** Whether there is one that has no single logout at all. */
  readonly isPartial: boolean
}

/** Where a browser goes that has been to every application. */
export type LogoutEnd =
  | { readonly kind: 'address'; readonly address: string }
  /** The response to the application that began, as to a request with this ID. */
  | {
      readonly kind: 'application'
      readonly applicationId: string
      readonly requestId: string
      readonly relayState?: string
    }
  /** The same to the identity provider that began, by its connector. */
  | {
      readonly kind: 'provider'
      readonly connectorId: string
      readonly requestId: string
      readonly relayState?: string
    }

/** A request that is to be sent. */
export interface LogoutRequestTo extends Participant {
  readonly requestId: string
  /** How many applications come before it. */
  readonly position: number
}

/** What comes next for a browser. */
export type LogoutStep =
  | { readonly kind: 'send'; readonly to: LogoutRequestTo }
  /** An application got its request, and the browser came back without its answer. */
  | { readonly kind: 'unanswered'; readonly applicationId: string }
  | { readonly kind: 'end'; readonly end: LogoutEnd; readonly isPartial: boolean }

/** What a user decides about an application that did not answer. */
export type LogoutChoice = 'again' | 'skip'

/**
 * Who has to be asked through the browser when the sessions end; has to be called before that. Applications with a backChannelUrl are told
 * without the browser. @param except the application that ends them
 */
export const participantsOf = async (
  { tx, tenant, now }: { readonly tx: Tx; readonly tenant: Tenant; readonly now: Date },
  sessionIds: readonly string[],
  except?: string,
): Promise<Participants> => {
  const { rows } = await sql<{ application_id: string; user_id: string; session_id: string; logout: unknown }>`
    SELECT DISTINCT g.application_id, g.user_id, g.session_id, s.settings->'singleLogout' AS logout
    FROM grants g JOIN saml_applications s ON s.tenant_id = g.tenant_id AND s.application_id = g.application_id
    WHERE g.tenant_id = ${tenant.id} AND g.session_id = ANY(${sessionIds}) AND g.expires_at > ${now}
      AND g.application_id IS DISTINCT FROM ${except ?? null}
    ORDER BY g.application_id, g.session_id`.execute(tx)
  const all = rows.map(({ application_id: applicationId, user_id: userId, session_id: sessionId, logout }) => ({
    participant: { applicationId, userId, sessionId },
    singleLogout: logout as Static<typeof SamlSettings>['singleLogout'],
  }))
  return {
    reachable: all
      .filter(({ singleLogout }) => singleLogout && !singleLogout.backChannelUrl)
      .map(({ participant }) => participant),
    isPartial: all.some(({ singleLogout }) => !singleLogout),
  }
}

const purpose = ({ id }: Tenant, secretHash: Buffer): string => `saml-logout/${id}/${secretHash.toString('hex')}`

/** Begins to lead a browser through the applications. Returns the secret for its cookie. */
export const beginSamlLogout = operation(
  [],
  async ({ tx, tenant, now, vault }, { reachable, isPartial }: Participants, end: LogoutEnd): Promise<string> => {
    const { value, hash } = newHashedOpaque('samlLogout')
    const id = newId()
    await tx
      .insertInto('saml_logouts')
      .values({
        tenant_id: tenant.id,
        id,
        secret_hash: hash,
        sealed_end: vault.seal(JSON.stringify(end), purpose(tenant, hash)),
        is_partial: isPartial,
        expires_at: secondsAfter(now, SAML_LOGOUT_SECONDS),
      })
      .execute()
    const requests = reachable.map(({ applicationId, userId, sessionId }, position) => ({
      tenant_id: tenant.id,
      logout_id: id,
      position,
      application_id: applicationId,
      user_id: userId,
      session_id: sessionId,
      state: 'waiting' as const,
    }))
    await tx.insertInto('saml_logout_requests').values(requests).execute()
    return value
  },
)

/**
 * Another end for a sign-out that goes on, as when the user left an application that does not answer and signs out again. Returns whether
 * the browser with this secret has one.
 */
export const resumeSamlLogout = operation(
  [],
  async ({ tx, tenant, now, vault }, secret: string | undefined, end: LogoutEnd): Promise<boolean> => {
    const hash = opaqueHash('samlLogout', secret)
    if (!hash) return false
    const { numUpdatedRows } = await tx
      .updateTable('saml_logouts')
      .set({ sealed_end: vault.seal(JSON.stringify(end), purpose(tenant, hash)) })
      .where(inTenant(tenant.id))
      .where('secret_hash', '=', hash)
      .where('expires_at', '>', now)
      .executeTakeFirstOrThrow()
    return numUpdatedRows > 0n
  },
)

/**
 * The next step of the browser with this secret: of several requests at the same time one gets it. Undefined: there is no such sign-out,
 * or it has expired or ended.
 * @param requestId of a request that is to be sent now: an ID is used once, also when the same is asked again (saml2-core section 1.3.4)
 * @param choice about the application that did not answer, if there is one
 */
export const nextLogoutStep = operation(
  [],
  async (
    unit,
    secret: string | undefined,
    requestId: string,
    choice?: LogoutChoice,
  ): Promise<LogoutStep | undefined> => {
    const { tx, tenant, now, vault, note } = unit
    const hash = opaqueHash('samlLogout', secret)
    if (!hash) return undefined
    const logout = await tx
      .selectFrom('saml_logouts')
      .selectAll()
      .where(inTenant(tenant.id))
      .where('secret_hash', '=', hash)
      .where('expires_at', '>', now)
      .forUpdate()
      .executeTakeFirst()
    if (!logout) return undefined
    const requests = await tx
      .selectFrom('saml_logout_requests')
      .selectAll()
      .where(inTenant(tenant.id))
      .where('logout_id', '=', logout.id)
      .orderBy('position')
      .execute()
    const change = (position: number, fields: { state: 'sent' | 'failed'; request_id?: string }) =>
      tx
        .updateTable('saml_logout_requests')
        .set(fields)
        .where(inTenant(tenant.id))
        .where('logout_id', '=', logout.id)
        .where('position', '=', position)
        .execute()
    const sent = requests.find(({ state }) => state === 'sent')
    if (sent && choice === undefined) return { kind: 'unanswered', applicationId: sent.application_id }
    if (sent && choice === 'skip') await change(sent.position, { state: 'failed' })
    const next = sent && choice === 'again' ? sent : requests.find(({ state }) => state === 'waiting')
    if (next) {
      await change(next.position, { state: 'sent', request_id: requestId })
      const { application_id: applicationId, user_id: userId, session_id: sessionId, position } = next
      note({ applicationId, userId, samlRequestId: requestId })
      return { kind: 'send', to: { applicationId, userId, sessionId, requestId, position } }
    }
    await tx.deleteFrom('saml_logouts').where(inTenant(tenant.id)).where('id', '=', logout.id).execute()
    const isPartial = logout.is_partial || sent !== undefined || requests.some(({ state }) => state === 'failed')
    note({ isPartial })
    const end = JSON.parse(vault.unseal(logout.sealed_end, purpose(tenant, hash))) as LogoutEnd
    return { kind: 'end', end, isPartial }
  },
)

/**
 * Records what an application answers to a request: once, and only while the sign-out goes on. Returns whether such a request waits for an
 * answer. @param hasEnded whether the application says that the user is signed out
 */
export const recordLogoutAnswer = operation(
  [],
  async ({ tx, tenant, now, note }, applicationId: string, requestId: string, hasEnded: boolean): Promise<boolean> => {
    note({ applicationId, samlRequestId: requestId, hasEnded })
    const { rows } = await sql`
      UPDATE saml_logout_requests r SET state = ${hasEnded ? 'ended' : 'failed'} FROM saml_logouts l
      WHERE r.tenant_id = ${tenant.id} AND r.application_id = ${applicationId} AND r.request_id = ${requestId}
        AND r.state = 'sent' AND l.tenant_id = r.tenant_id AND l.id = r.logout_id AND l.expires_at > ${now}
      RETURNING 1`.execute(tx)
    return rows.length > 0
  },
)
