/**
 * The subject of an exchange (RFC 8693 section 2.1): the kind of its token decides what the exchange is (DECISIONS H2).
 * Anything wrong with it is one error, and the reason is for the log (DECISIONS H3).
 */
import type { AuthorizationDetail } from '../../domain/access/authorization-details.ts'
import { type Client, findClient } from '../../domain/applications/clients.ts'
import type { SubjectOrigin } from '../../domain/applications/exchange-policies.ts'
import { type StoredConfirmation, storedConfirmation } from '../../domain/issued/confirmation.ts'
import { exchangeable } from '../../domain/issued/exchanged-tokens.ts'
import { isOpaqueToken, opaqueTokenIn, userOfOpaqueToken } from '../../domain/issued/opaque-access-tokens.ts'
import {
  isPersonalAccessToken,
  usePersonalAccessToken,
  userOfPersonalAccessToken,
} from '../../domain/issued/personal-access-tokens.ts'
import {
  consumeSubjectToken,
  isSubjectToken,
  type MayAct,
  type SubjectTokenContext,
  userOfSubjectToken,
} from '../../domain/issued/subject-tokens.ts'
import type { UserFinder } from '../../domain/users/finder.ts'
import { secondsAfter, toNumericDate } from '../../kernel/clock.ts'
import { OAuthError } from '../../kernel/oauth-error.ts'
import type { Unit } from '../../storage/unit-of-work.ts'
import type { Actor } from '../../tokens/authorization.ts'
import { grantOfToken, subjectTokenOf } from '../../tokens/token-id.ts'
import { readAccessToken, TokenRefused } from '../../tokens/verify.ts'
import type { GrantRequest } from '../grants/grant.ts'
import { refuseHolder } from '../sender-constraint.ts'
import { isImpersonationTokenType, isPersonalAccessTokenType } from './token-types.ts'

export interface ExchangeSubject {
  readonly kind: 'impersonation' | 'delegation' | 'personal access token'
  readonly userId: string
  /** What the rules of the application look at. */
  readonly origin: SubjectOrigin
  /** The actors in the presented token: never lost (DECISIONS H5). */
  readonly act?: Actor | undefined
  /** From the subject token, this one or the original one: for custom claims (SPEC 4.4) and the audit log. */
  readonly context?: SubjectTokenContext | undefined
  readonly subjectTokenId?: string | undefined
  /** Of a subject token: who alone may act as the user; null or undefined: who may exchange it. */
  readonly mayAct?: MayAct | null
  /** For an access token: its scopes, for a tenant that restricts exchanged tokens to them. */
  readonly limits?: { readonly scopes: readonly string[]; readonly organizationId: string | undefined }
  /** The authorization details of an access token: another one has no more than these. */
  readonly details?: readonly AuthorizationDetail[] | undefined
  /**
   * Numeric date at which everything issued from it ends, for a token that was itself issued by an exchange. An
   * exchange never extends an earlier one: after that a new one has to be started (SPEC 3).
   */
  readonly expiresAt?: number
  /** For the audit log. */
  readonly facts: Readonly<Record<string, unknown>>
}

/** A token that has not been looked up in the database yet. */
export interface PresentedSubject {
  /** The user, or how they are found, for a statement that is sent together with those of `prove`. */
  readonly userId: string | UserFinder
  /**
   * Checks whether the token is valid, and consumes it if it is for single use: one statement, sent at once. Throws
   * invalid_grant.
   */
  prove(): Promise<ExchangeSubject>
}

export const refuseSubject = (reason: string): OAuthError =>
  new OAuthError('invalid_grant', 'the subject token is not valid for this request', { reason })

const asActor = (act: unknown): Actor | undefined => {
  if (typeof act !== 'object' || act === null || !('sub' in act) || typeof act.sub !== 'string') return undefined
  const before = 'act' in act ? asActor(act.act) : undefined
  return { sub: act.sub, ...(before ? { act: before } : {}) }
}

/**
 * Consumed before anything is issued for it, in the same transaction (DECISIONS H4). @param
 * lifetime of what is issued, in seconds
 */
const fromSubjectToken = async (unit: Unit, value: string, lifetime: number): Promise<ExchangeSubject> => {
  const used = await consumeSubjectToken(unit, value, secondsAfter(unit.now, lifetime))
  if (!used) throw refuseSubject('there is no such subject token, it was used before, or it has expired')
  return {
    kind: 'impersonation',
    userId: used.userId,
    origin: { type: 'subject_token' },
    context: used.context,
    subjectTokenId: used.id,
    mayAct: used.mayAct,
    facts: { subjectTokenId: used.id, subjectTokenContext: used.context, subjectTokenCreator: used.creator },
  }
}

const fromPersonalAccessToken = async (unit: Unit, value: string): Promise<ExchangeSubject> => {
  const used = await usePersonalAccessToken(unit, value)
  if (!used) throw refuseSubject('there is no such personal access token, or it has expired')
  return {
    kind: 'personal access token',
    userId: used.userId,
    origin: { type: 'personal_access_token' },
    facts: { personalAccessToken: used.name },
  }
}

/** Throws if the application that a token was issued to is deleted, or is a third party. */
export const assertIssuedTo = async (
  { store, tenant }: Pick<GrantRequest, 'store' | 'tenant'>,
  clientId: string,
): Promise<void> => {
  const issuedTo = await findClient(store, tenant, clientId)
  if (!issuedTo) throw refuseSubject('the application it was issued to is deleted')
  if (issuedTo.isThirdParty) throw refuseSubject('it was issued to a third-party application')
}

const parts = (scope: string | undefined): string[] => (scope ?? '').split(' ').filter((name) => name !== '')

/** A bound token is exchanged only by who holds it: otherwise anyone it was sent to could make another of it (DECISIONS V4). */
const assertHolder = (token: StoredConfirmation, { confirmation }: GrantRequest): void => {
  const reason = refuseHolder(token, confirmation)
  if (reason !== undefined) throw refuseSubject(reason)
}

/** An opaque token of this server, which is its audience (DECISIONS N5). */
const fromOpaqueToken = (unit: Unit, request: GrantRequest, value: string): PresentedSubject => {
  const { issuer } = request.tenant
  return {
    userId: userOfOpaqueToken(value),
    async prove() {
      const token = await opaqueTokenIn(unit, value)
      if (!token) throw refuseSubject('it is not a live opaque access token of an active user')
      // the token that is issued ends with it, in whole seconds
      if (toNumericDate(token.expiresAt) <= toNumericDate(request.now))
        throw refuseSubject('the opaque access token has less than a second left')
      assertHolder(token, request)
      await assertIssuedTo(request, token.applicationId)
      return {
        kind: 'delegation',
        userId: token.userId,
        origin: { type: 'access_token', audience: issuer, applicationId: token.applicationId },
        limits: { scopes: token.scopes, organizationId: undefined },
        ...(token.grantId === null ? { expiresAt: toNumericDate(token.expiresAt) } : {}),
        facts: { subjectTokenClientId: token.applicationId, subjectTokenAudience: issuer },
      }
    },
  }
}

/** Whether an exchange writes to the row of this token, so that another with the same one waits for it. */
export const isUsedByExchange = (value: string): boolean => isSubjectToken(value) || isPersonalAccessToken(value)

/** A JWT access token of this server. */
const fromJwt = async (unit: Unit, request: GrantRequest, value: string): Promise<PresentedSubject> => {
  const { store, tenant, now } = request
  const claims = await readAccessToken(store, tenant, value, now).catch((error: unknown) => {
    throw error instanceof TokenRefused ? refuseSubject(`the access token: ${error.message}`) : error
  })
  const { sub, client_id: clientId, aud, jti, exp } = claims
  assertHolder(storedConfirmation(claims.cnf), request)
  if (sub === clientId) throw refuseSubject('it is the token of a machine, which stands for no user')
  await assertIssuedTo(request, clientId)
  const grant = grantOfToken(claims)
  const subjectTokenId = subjectTokenOf(claims)
  return {
    userId: sub,
    async prove() {
      const found = await exchangeable(unit, { jti, userId: sub, applicationId: clientId, grant, subjectTokenId })
      if (found.objection !== undefined) throw refuseSubject(found.objection)
      const began = subjectTokenId === undefined ? {} : { subjectTokenId, subjectTokenContext: found.context ?? {} }
      return {
        kind: 'delegation',
        userId: sub,
        origin: { type: 'access_token', audience: aud, applicationId: clientId },
        act: asActor((claims as { act?: unknown }).act),
        context: found.context,
        subjectTokenId,
        limits: { scopes: parts(claims.scope), organizationId: claims.organization_id },
        details: claims.authorization_details,
        ...(grant ? {} : { expiresAt: exp }),
        facts: { ...began, subjectTokenJti: jti, subjectTokenClientId: clientId, subjectTokenAudience: aud },
      }
    },
  }
}

/** Throws unauthorized_client for a public application: it could be anyone whom an access token was sent to (DECISIONS H3). */
export const assertMayDelegate = ({ isConfidential }: Client): void => {
  if (isConfidential) return
  throw new OAuthError('unauthorized_client', 'delegation is for applications that authenticate with a secret or a key')
}

/** A user's access token from this server, presented by the backend that received it (SPEC 4.4, DECISIONS H3). */
const fromAccessToken = async (unit: Unit, request: GrantRequest, value: string): Promise<PresentedSubject> => {
  assertMayDelegate(request.client)
  return isOpaqueToken(value) ? fromOpaqueToken(unit, request, value) : fromJwt(unit, request, value)
}

/** What an exchange presents. */
interface Presented {
  /** `subject_token`. */
  readonly value: string
  /** `subject_token_type`: a known one. */
  readonly type: string
  /** Of what is to be issued, in seconds. */
  readonly lifetime: number
}

/**
 * What the exchange is about, checked as far as possible without the database. Throws invalid_grant;
 * unauthorized_client for a public application that presents an access token. Whether the user exists and is active is
 * checked with their permissions.
 */
export const presentedSubject = async (
  unit: Unit,
  request: GrantRequest,
  { value, type, lifetime }: Presented,
): Promise<PresentedSubject> => {
  if (isPersonalAccessTokenType(type)) {
    if (!isPersonalAccessToken(value)) throw refuseSubject('it is not a personal access token')
    return {
      userId: userOfPersonalAccessToken(value),
      prove: () => fromPersonalAccessToken(unit, value),
    }
  }
  if (isSubjectToken(value))
    return { userId: userOfSubjectToken(value), prove: () => fromSubjectToken(unit, value, lifetime) }
  if (isImpersonationTokenType(type)) throw refuseSubject('it is not a subject token')
  return fromAccessToken(unit, request, value)
}
