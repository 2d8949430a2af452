/**
 * Whether one of the server's access tokens can still be exchanged (DECISIONS H3): not revoked, and with a live grant.
 */
import { sql } from 'kysely'
import { GIVEN, parameter, shapedStatement } from '../../storage/statement.ts'
import type { Unit } from '../../storage/unit-of-work.ts'
import type { SubjectTokenContext } from './subject-tokens.ts'
import { type GrantOfToken, grantStands, type TokenOfUser } from './token-grants.ts'

interface ExchangeableToken extends TokenOfUser {
  readonly jti: string
  /** The original subject token. */
  readonly subjectTokenId: string | undefined
}

type Exchangeable =
  /** @property objection why it cannot be exchanged */
  | { readonly objection: string }
  /** @property context of the subject token, if there is one with a context */
  | { readonly objection: undefined; readonly context: SubjectTokenContext | undefined }

interface Found {
  readonly is_revoked: boolean
  readonly grant_stands: boolean
  readonly is_impersonation: boolean
  readonly context: SubjectTokenContext | null
}

const text = (name: string) => parameter<string>(name, 'text')
const [TENANT, JTI, SUBJECT_TOKEN] = [text('tenantId'), text('jti'), text('subjectTokenId')]
const NOW = parameter<Date>('now', 'timestamptz')

/** The grant with SQL of its values: what the text depends on is in it as it is. */
const grantInSql = (grant: GrantOfToken | undefined) => {
  if (!grant) return undefined
  return 'id' in grant
    ? { id: text('grantId'), endsWithSession: grant.endsWithSession }
    : { sessionId: text('sessionId'), issuedAt: parameter<Date>('issuedAt', 'timestamptz') }
}

const found = shapedStatement<Found>()
const foundSql = ({ grant, subjectTokenId }: ExchangeableToken) => {
  const token = { userId: text('userId'), applicationId: text('applicationId'), grant: grantInSql(grant) }
  const context = sql`(SELECT t.context FROM subject_tokens t WHERE t.tenant_id = ${TENANT} AND t.id = ${SUBJECT_TOKEN})`
  const isOfImpersonation = sql`EXISTS (SELECT FROM impersonations i WHERE i.tenant_id = ${TENANT} AND i.id = ${SUBJECT_TOKEN})`
  return sql<Found>`
    SELECT given.n, EXISTS (SELECT FROM revoked_access_tokens r WHERE r.tenant_id = ${TENANT} AND r.jti = ${JTI}) AS is_revoked,
      ${grantStands(TENANT, token, NOW)} AS grant_stands, ${subjectTokenId === undefined ? sql`NULL` : context} AS context,
      ${subjectTokenId === undefined ? sql`false` : isOfImpersonation} AS is_impersonation
    FROM ${GIVEN}`
}

const shapeOf = ({ grant, subjectTokenId }: ExchangeableToken): string => {
  const kind = grant && ('id' in grant ? `grant ${grant.endsWithSession}` : 'session')
  return `${kind} ${subjectTokenId !== undefined}`
}

/**
 * Whether the token can be exchanged, and the data that comes with it: one statement. Whether its user exists and is
 * active is checked where their permissions are read.
 */
export const exchangeable = async (unit: Unit, token: ExchangeableToken): Promise<Exchangeable> => {
  const { grant, ...named } = token
  const ofGrant = grant && 'id' in grant ? { grantId: grant.id } : grant
  const values = { tenantId: unit.tenant.id, now: unit.now, ...named, ...ofGrant }
  const [state] = await found(unit, shapeOf(token), () => foundSql(token), values)
  if (state?.is_revoked) return { objection: 'it was revoked' }
  if (!state?.grant_stands) return { objection: 'the grant that it was issued from has ended' }
  // what is issued for it would outlast its end
  if (state.is_impersonation) return { objection: 'it was issued to someone who acts as the user' }
  return { objection: undefined, context: state.context ?? undefined }
}
