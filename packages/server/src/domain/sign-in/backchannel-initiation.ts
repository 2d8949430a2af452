/**
 * The start of a backchannel authentication request: whom the hint names, whether they may be asked, and the message
 * that asks them, with an event for those who tell users in another way too (DECISIONS F27, F29). What the application
 * gets does not depend on any of that.
 */
import { sql } from 'kysely'
import { secondsAfter } from '../../kernel/clock.ts'
import { hashSecret } from '../../kernel/secrets.ts'
import { inTenant } from '../../storage/in-tenant.ts'
import { operation, type Unit } from '../../storage/unit-of-work.ts'
import { isLockedOut, readings } from '../credentials/lockout.ts'
import { countSend, recipientHash } from '../delivery/message-limit.ts'
import { queueMessage, withholdMessage } from '../delivery/messages.ts'
import { type BackchannelRequest, mayAskAgain, storeBackchannelRequest } from '../issued/backchannel-requests.ts'
import { accountOf, findUserByIdentifier, type UserRow } from '../users/rows.ts'
import type { SignInExperience } from './experience.ts'

/** Where users open the link of a message. */
export const BACKCHANNEL_PATH = '/backchannel'

/** Whom an application means: what it calls them, or the user of an ID token. */
export type UserHint = { readonly loginHint: string } | { readonly userId: string }

/** The user of a hint: by username first, then by address, then by number, as on the sign-in page. */
const userOf = async ({ tx, tenant }: Unit, hint: UserHint, hasExactNames: boolean): Promise<UserRow | undefined> => {
  if ('userId' in hint)
    return tx
      .selectFrom('users')
      .selectAll()
      .where(inTenant(tenant.id))
      .where('id', '=', hint.userId)
      .executeTakeFirst()
  for (const identifier of readings(hint.loginHint, hasExactNames)) {
    const user = await findUserByIdentifier(tx, tenant.id, identifier)
    if (user) return user
  }
  return undefined
}

/** Where a user can be reached; undefined: nowhere. */
const addressOf = (
  { primary_email: email, primary_phone: phone }: UserRow,
  { canMail, canText }: SignInExperience,
): { readonly type: 'email' | 'phone'; readonly value: string } | undefined => {
  if (canMail && email !== null) return { type: 'email', value: email }
  return canText && phone !== null ? { type: 'phone', value: phone } : undefined
}

/** Why a user is not asked, for the audit log; undefined: they are. */
const reasonNotToAsk = async (
  unit: Unit,
  user: UserRow,
  hasExactNames: boolean,
  applicationId: string,
): Promise<string | undefined> => {
  if (user.is_suspended) return 'the user is suspended'
  if (await isLockedOut(unit, accountOf(user, hasExactNames))) return 'the user is locked out'
  if (!(await mayAskAgain(unit, applicationId, user.id))) return 'too many requests for the user are pending'
  return undefined
}

/**
 * Stores a request and asks its user, if there is one who may be asked: otherwise the request waits in vain until it
 * expires, and the reason is in the audit log. Returns the `auth_req_id`.
 */
export const initiateBackchannel = operation(
  ['BackchannelAuthentication.Requested'],
  async (
    unit,
    hint: UserHint,
    asked: Omit<BackchannelRequest, 'userId'>,
    experience: SignInExperience,
  ): Promise<string> => {
    const hasExactNames = experience.usernamePolicy.caseSensitive
    const user = await userOf(unit, hint, hasExactNames)
    const to = user && addressOf(user, experience)
    const stated = 'userId' in hint ? hint.userId : hint.loginHint
    const sendKey = to ? recipientHash(to) : hashSecret(`backchannel:${stated}`)
    // requests for one user take turns: so the limit of those that wait holds for any number at once
    const turn = `${unit.tenant.id} ${user?.id ?? sendKey.toString('base64url')}`
    await sql`SELECT pg_advisory_xact_lock(hashtextextended(${turn}, 6))`.execute(unit.tx)
    const withheld = user
      ? await reasonNotToAsk(unit, user, hasExactNames, asked.applicationId)
      : 'the hint names no user'
    const { requestId, link } = await storeBackchannelRequest(unit, { ...asked, userId: user?.id ?? null })
    const reason =
      withheld ??
      (to ? undefined : 'the user has no address') ??
      ((await countSend(unit, sendKey)) ? undefined : 'too many messages were sent to the user')
    const message = {
      recipient: to?.value ?? stated,
      usage: 'BackchannelAuthentication',
      variables: {
        link: `${unit.tenant.baseUrl}${BACKCHANNEL_PATH}?token=${link}`,
        minutes: String(Math.ceil(asked.lifetime / 60)),
      },
    } as const
    const queue = reason === undefined ? queueMessage : withholdMessage
    queue(unit, message, asked.lifetime)
    const { applicationId, scopes, resources, bindingMessage } = asked
    const outcome = reason === undefined ? {} : { notAsked: reason }
    // for a request in vain too: its time must not tell that it is one
    unit.emit('BackchannelAuthentication.Requested', {
      ...{ applicationId, scopes: [...scopes], resources: [...resources], ...outcome },
      ...(user && reason === undefined ? { userId: user.id } : {}),
      ...(bindingMessage === undefined ? {} : { bindingMessage }),
      expiresAt: secondsAfter(unit.now, asked.lifetime).toISOString(),
    })
    unit.note({ applicationId, scope: scopes.join(' '), userId: user?.id, ...outcome })
    return requestId
  },
)
